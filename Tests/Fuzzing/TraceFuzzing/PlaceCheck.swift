package import RecordFormat

/// Checks that findings have a place in the text that they are about.
package struct PlaceCheck {
    private let text: [UInt8]
    /// Where each line begins.
    private let starts: [Int]

    package init(_ text: [UInt8]) {
        self.text = text
        starts = [0] + text.indices.filter { text[$0] == 0x0A }.map { $0 + 1 }
    }

    /// - Parameter mayBeWhole: Whether it may be about the file as a whole.
    /// - Throws: ``Flaw`` where it has no place, or half a one.
    package func require(_ finding: Finding, mayBeWhole: Bool = false) throws {
        let place = finding.place
        try TraceFuzzing.require(
            !finding.message.isEmpty && !finding.message.utf8.contains(0x0A) && !place.file.isEmpty,
            "a finding without words: \(finding)")
        if mayBeWhole, place.line == 0 {
            return try TraceFuzzing.require(
                place.byteOffset == 0 && place.column == 0, "half a place: \(finding)")
        }
        try TraceFuzzing.require(
            (1...starts.count).contains(place.line) && (0...text.count).contains(place.byteOffset),
            "a finding without a place: \(finding)")
        let start = starts[place.line - 1]
        let end = place.line < starts.count ? starts[place.line] : text.count + 1
        try TraceFuzzing.require(
            (start..<end).contains(place.byteOffset), "its byte does not lie in its line: \(finding)")
        try TraceFuzzing.require(
            place.column == 0 || place.byteOffset == start + place.column - 1,
            "its column is not that of its byte: \(finding)")
    }

    /// - Throws: ``Flaw`` where byte offset and length do not slice a whole line out of the text.
    package func requireWholeLine(_ record: RecordSummary) throws {
        let range = record.byteOffset..<(record.byteOffset + record.byteLength)
        try TraceFuzzing.require(
            (1..<starts.count).contains(record.line) && starts[record.line - 1] == range.lowerBound
                && range.upperBound < text.count, "a record that is no line: \(record)")
        let rest = text[range.upperBound...].prefix(starts[record.line] - range.upperBound)
        try TraceFuzzing.require(
            rest.elementsEqual([0x0A]) || rest.elementsEqual([0x0D, 0x0A]), "not the whole line: \(record)")
    }
}
