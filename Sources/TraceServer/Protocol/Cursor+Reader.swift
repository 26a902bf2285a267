extension Cursor {
    /// Takes the fields of a cursor one after the other, as the list that made it expects them.
    struct Reader: ~Copyable {
        private var rest: ArraySlice<Field>

        fileprivate init(_ fields: [Field]) { rest = fields[...] }

        /// - Throws: A ``ProtocolError`` with `.cursorMalformed`: the next field is not a number, or there is none.
        mutating func integer() throws(ProtocolError) -> Int64 {
            guard case .integer(let number)? = rest.popFirst() else { throw .cursor }
            return number
        }

        /// - Throws: A ``ProtocolError`` with `.cursorMalformed`: the next field is not bytes, or there is none.
        mutating func bytes() throws(ProtocolError) -> [UInt8] {
            guard case .bytes(let bytes)? = rest.popFirst() else { throw .cursor }
            return bytes
        }

        /// - Throws: A ``ProtocolError`` with `.cursorMalformed`: there are more fields than the list has.
        consuming func finish() throws(ProtocolError) {
            guard rest.isEmpty else { throw .cursor }
        }
    }

    /// The fields, to be read in their order.
    var reader: Reader { Reader(fields) }
}
