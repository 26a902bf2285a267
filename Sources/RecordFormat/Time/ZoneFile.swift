internal import TraceText

extension ZoneRules {
    /// Reads a zone file (TZif, RFC 8536): the part with 64 bits and the yearly rule behind it; of the first version of the
    /// format the only part.
    ///
    /// - Parameters:
    ///   - name: The name by which the file was found; empty if there is none, and the yearly rule is to stand for it.
    ///   - file: Its bytes; whatever they are, they are read or refused.
    /// - Throws: ``FormatError`` with `.zoneMalformed`, which tells the byte.
    /// - Complexity: O(size of the file).
    package init(name: String, file: [UInt8]) throws(FormatError) {
        var reader = ZoneFileReader(file)
        var header = try reader.header()
        var table: ZoneFileReader.Table
        var rule: [UInt8] = []
        if header.version == 0 {
            table = try reader.table(header, wide: false)
        } else {
            try reader.skip(header.size(wide: false))
            header = try reader.header()
            table = try reader.table(header, wide: true)
            rule = try reader.footer()
        }
        let yearly = YearlyZone(rule)
        if !rule.isEmpty, yearly == nil {
            throw ZoneFileReader.malformed("its last line is not a daylight saving rule", at: reader.position)
        }
        let ownName = rule.isEmpty ? "UTC" : String(decoding: rule, as: UTF8.self)
        self.init(
            name: name.isEmpty ? ownName : name, offsets: table.offsets, changes: table.changes,
            yearly: yearly)
    }
}

/// Parses the bytes of a zone file.
private struct ZoneFileReader {
    private let bytes: [UInt8]
    /// The byte that is read next.
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The counts of the header, in its order.
    struct Header {
        var version: UInt8
        var universal: Int
        var standard: Int
        var leaps: Int
        var times: Int
        var types: Int
        var characters: Int

        /// How many bytes follow.
        func size(wide: Bool) -> Int {
            let time = wide ? 8 : 4
            return times * (time + 1) + types * 6 + characters + leaps * (time + 4) + standard + universal
        }
    }

    struct Table {
        var offsets: [ZoneOffset]
        var changes: [ZoneRules.Change]
    }

    static func malformed(_ what: String, at position: Int) -> FormatError {
        FormatError(.zoneMalformed, "is not a zone file (byte \(position)): \(what)")
    }

    mutating func skip(_ count: Int) throws(FormatError) {
        guard bytes.count - position >= count else {
            throw Self.malformed("it is shorter than its header says", at: bytes.count)
        }
        position += count
    }

    mutating func header() throws(FormatError) -> Header {
        let start = position
        try skip(44)
        guard bytes[start..<(start + 4)].elementsEqual("TZif".utf8) else {
            throw Self.malformed("it does not begin with TZif", at: start)
        }
        func count(_ index: Int) -> Int { Int(integer(at: start + 20 + 4 * index, size: 4)) & 0xFFFF_FFFF }
        return Header(
            version: bytes[start + 4], universal: count(0), standard: count(1), leaps: count(2),
            times: count(3), types: count(4), characters: count(5))
    }

    /// Reads times, types and abbreviations; what only those need who count leap seconds is skipped.
    mutating func table(_ header: Header, wide: Bool) throws(FormatError) -> Table {
        let start = position
        try skip(header.size(wide: wide))
        guard header.leaps == 0 else {
            throw Self.malformed("it counts leap seconds, unlike the times of a session", at: start)
        }
        guard (1...256).contains(header.types), header.characters > 0 else {
            throw Self.malformed("it has no offset from UTC", at: start)
        }
        let size = wide ? 8 : 4
        let numbers = start + header.times * size
        let types = numbers + header.times
        let characters = types + header.types * 6
        var offsets: [ZoneOffset] = []
        for place in stride(from: types, to: characters, by: 6) {
            let seconds = integer(at: place, size: 4)
            guard seconds.magnitude <= ZoneOffset.limit.magnitude else {
                throw Self.malformed("an offset of \(seconds) seconds is too large", at: place)
            }
            let name = bytes[characters..<(characters + header.characters)].dropFirst(Int(bytes[place + 5]))
                .prefix { $0 != 0 }
            guard !name.isEmpty, name.allSatisfy(ZoneRules.isOfAbbreviation) else {
                throw Self.malformed("an offset has no name", at: place + 5)
            }
            offsets.append(ZoneOffset(seconds: seconds, abbreviation: String(decoding: name, as: UTF8.self)))
        }
        var changes: [ZoneRules.Change] = []
        for index in 0..<header.times {
            let second = integer(at: start + index * size, size: size)
            let offset = Int(bytes[numbers + index])
            guard changes.last.map({ $0.second < second }) ?? true, second.magnitude <= 1 << 59 else {
                throw Self.malformed("its times are not in order", at: start + index * size)
            }
            guard offset < offsets.count else {
                throw Self.malformed("there is no offset \(offset)", at: numbers + index)
            }
            changes.append(ZoneRules.Change(second: second, offset: offset))
        }
        return Table(offsets: offsets, changes: changes)
    }

    /// The line behind the second table.
    mutating func footer() throws(FormatError) -> [UInt8] {
        let rest = bytes[position...]
        guard rest.first == 0x0A, let end = rest.dropFirst().firstIndex(of: 0x0A) else {
            throw Self.malformed("its last line is missing", at: position)
        }
        position += 1
        return Array(bytes[position..<end])
    }

    /// A number with its sign, the highest byte first.
    private func integer(at place: Int, size: Int) -> Int64 {
        let first: Int64 = bytes[place] >= 0x80 ? -1 : 0
        return bytes[place..<(place + size)].reduce(first) { $0 << 8 | Int64($1) }
    }
}
