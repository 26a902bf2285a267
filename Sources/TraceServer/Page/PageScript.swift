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
            if isInside {
                isInside = !line.reversed().starts(with: end.reversed())
            } else if text.starts(with: begin), index(of: end, in: text) == nil {
                isInside = true
            } else if text.starts(with: begin), line.reversed().starts(with: end.reversed()) {
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
        while let type = index(of: typeBegin, in: rest), let last = index(of: end, in: rest[type...]) {
            kept += rest[..<type]
            rest = rest[(last + end.count)...]
            if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        }
        kept += rest
    }

    private static func index(of text: [UInt8], in line: ArraySlice<UInt8>) -> Int? {
        var rest = line
        while rest.count >= text.count {
            if rest.starts(with: text) { return rest.startIndex }
            rest = rest.dropFirst()
        }
        return nil
    }
}
