internal import TraceFormat
internal import TraceText

extension LineDiff {
    /// The diff as it is shown to people: at most 200 lines.
    var linesForPeople: [String] { unified(limit: 200).map(Self.visible) }

    /// A line in which nothing is a terminal's command, cut where it is long.
    private static func visible(_ line: [UInt8]) -> String {
        let limit = 300
        let text = String(decoding: line.prefix(limit), as: UTF8.self)
        let scalars = text.unicodeScalars.map { scalar -> String in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                scalar.spelled()
            default: String(scalar)
            }
        }
        let rest = line.count - limit
        return scalars.joined() + (rest > 0 ? "… (\(rest) more bytes)" : "")
    }
}
