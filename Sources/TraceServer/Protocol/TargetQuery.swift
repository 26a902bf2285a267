internal import TraceText

/// The parameters behind the `?` of an address, in their order.
///
/// Source: the URL standard, "application/x-www-form-urlencoded parsing", but nothing is repaired.
package struct TargetQuery: Sendable, Hashable {
    /// A parameter; without `=`, its value is empty.
    package struct Item: Sendable, Hashable {
        /// The name, decoded.
        package let name: String
        /// The value, decoded.
        package let value: String
    }

    /// All of them, repeated ones too.
    package let items: [Item]

    /// The greatest number of parameters.
    private static let limit = 64

    /// - Parameter text: Without the `?`.
    /// - Throws: A ``ProtocolError`` of status 400: a malformed escape, text that is not UTF-8 or has a NUL, or too many items.
    init(_ text: some Collection<UInt8>) throws(ProtocolError) {
        var items: [Item] = []
        for part in text.split(separator: UInt8(ascii: "&")) {
            guard items.count < Self.limit else {
                throw ProtocolError(
                    .queryMalformed, "the query has more than \(Self.limit) parameters",
                    cure: "send long values in a body")
            }
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            items.append(
                Item(
                    name: try Self.decoded(name), value: try Self.decoded(part.dropFirst(name.count + 1))))
        }
        self.items = items
    }

    private static func decoded(_ text: some Collection<UInt8>) throws(ProtocolError) -> String {
        let spaced = text.lazy.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        guard let bytes = PercentEncoding.decoded(spaced) else { throw .escape }
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
            throw ProtocolError(
                .queryMalformed, "the query is not text", cure: "encode it as UTF-8, without NUL")
        }
        return text
    }

    /// Whether there is no parameter.
    package var isEmpty: Bool { items.isEmpty }

    /// The value of a parameter that may be given once; nil if it is not given.
    ///
    /// - Throws: A ``ProtocolError`` with `.queryDuplicate`: which of them is meant is unknown.
    func value(of name: String) throws(ProtocolError) -> String? {
        let values = values(of: name)
        guard values.count <= 1 else {
            throw ProtocolError(
                .queryDuplicate, "'\(name)' is given \(values.count) times", cure: "give '\(name)' once")
        }
        return values.first
    }

    /// The values of a parameter that may be repeated, in their order.
    package func values(of name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// The first name that is not among these.
    func firstName(notIn known: some Sequence<String>) -> String? {
        let known = Set(known)
        return items.first { !known.contains($0.name) }?.name
    }
}
