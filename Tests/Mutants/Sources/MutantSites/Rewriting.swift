extension MutantSite {
    /// The source with a switch at each site.
    ///
    /// - Parameter sites: Sites of the same source, each with the number that switches it on.
    package static func rewrite(_ source: String, _ sites: [(number: Int, site: MutantSite)]) -> String {
        var insertions: [(offset: Int, isOpening: Bool, length: Int, order: Int, text: String)] = []
        for (order, (number, site)) in sites.enumerated() {
            func numbered(_ text: String) -> String {
                ["isOn", "turn", "pass", "fail"].reduce(text) {
                    $0.replacing("MutantSwitch.\($1)(#", with: "MutantSwitch.\($1)(\(number)")
                }
            }
            let range = site.range
            insertions.append((range.lowerBound, true, range.count, order, numbered(site.prefix)))
            insertions.append((range.upperBound, false, range.count, order, numbered(site.suffix)))
        }
        // What ends at a place comes before what begins there; of what begins the longest is outermost, and of two that
        // are equally long the first.
        insertions.sort {
            if $0.offset != $1.offset { return $0.offset < $1.offset }
            if $0.isOpening != $1.isOpening { return !$0.isOpening }
            if $0.length != $1.length { return $0.isOpening == ($0.length > $1.length) }
            return $0.isOpening == ($0.order < $1.order)
        }
        var result: [UInt8] = []
        let bytes = Array(source.utf8)
        var done = 0
        for insertion in insertions {
            result += bytes[done..<insertion.offset]
            result += insertion.text.utf8
            done = insertion.offset
        }
        return String(decoding: result + bytes[done...], as: UTF8.self)
    }
}
