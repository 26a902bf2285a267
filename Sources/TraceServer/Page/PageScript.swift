/// A script of the page as it is sent: without its comments, which are a sixth of what a browser would load.
///
/// It takes away whole lines that are comments, and the types within a line, `/** @type … */`; nothing else changes, and each line keeps its
/// number. `PageModuleTests` sees to it that no text of a script looks like one of these.
///
/// Source: docs/decisions/0069-the-page-is-checked-by-its-comments.md.
enum PageScript {
    private static let lineComment = Array("//".utf8)
    private static let begin = Array("/**".utf8)
    private static let typeBegin = Array("/** @".utf8)
    private static let end = Array("*/".utf8)

    static func withoutComments(_ script: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        kept.reserveCapacity(script.count)
        var isInside = false
        var isFirst = true
        for line in script.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if !isFirst { kept.append(UInt8(ascii: "\n")) }
            isFirst = false
            let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let isEnd = line.suffix(end.count).elementsEqual(end)
            if isInside {
                isInside = !isEnd
            } else if text.starts(with: begin), text.firstRange(of: end) == nil {
                isInside = true
            } else if text.starts(with: begin), isEnd {
                continue
            } else if !text.starts(with: lineComment) {
                append(line, to: &kept)
            }
        }
        return kept
    }

    /// A line without the types in it.
    private static func append(_ line: ArraySlice<UInt8>, to kept: inout [UInt8]) {
        var rest = line
        while let type = rest.firstRange(of: typeBegin),
            let last = rest[type.upperBound...].firstRange(of: end)
        {
            kept += rest[..<type.lowerBound]
            rest = rest[last.upperBound...]
            if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        }
        kept += rest
    }
}
