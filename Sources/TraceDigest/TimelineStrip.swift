package import RecordFormat
internal import TraceFormat

/// Where in a session something was marked, in a few characters: how dense, what, and when.
///
/// ```
/// ▁▂▃▅▃▂▁▁▁▁▃▅▇▅▃▁
///    H       S2T
/// 0:00       36:00
/// ```
///
/// Source: docs/digest.md.
package struct TimelineStrip: Sendable, Hashable {
    /// A piece of the session.
    package struct Cell: Sendable, Hashable {
        /// How many points are in it.
        var count = 0
        /// The sign of its only point.
        var letter: Character?

        mutating func add(_ other: Cell) {
            count += other.count
            letter = count == 1 ? letter ?? other.letter : nil
        }
    }

    /// A place where something was marked, and its sign.
    package struct Point: Sendable, Hashable {
        var offset: SessionOffset
        var letter: Character
    }

    /// The number of cells.
    static let cellCount = 60

    /// The length of the session.
    let length: SessionOffset
    /// Equal pieces of the session, the first at its start.
    private(set) var cells = [Cell](repeating: Cell(), count: cellCount)

    /// A strip on which nothing is marked yet.
    ///
    /// - Returns: Nil for a session without a length, in which there are no places.
    init?(length: SessionOffset) {
        guard length > .zero else { return nil }
        self.length = length
    }

    /// - Parameter points: In any order; what lies beyond the end counts as there.
    /// - Returns: Nil when there is nothing to show.
    package init?(length: SessionOffset, points: [Point]) {
        guard !points.isEmpty else { return nil }
        self.init(length: length)
        for point in points { add(point) }
    }

    mutating func add(_ point: Point) {
        cells[length.index(of: point.offset, among: Self.cellCount)].add(Cell(count: 1, letter: point.letter))
    }

    /// Whether nothing is marked on it.
    var isEmpty: Bool { cells.allSatisfy { $0.count == 0 } }

    /// Density, signs and times, in at most `columns` columns (but at least one).
    ///
    /// - Parameter sound: How loud the session was, which is drawn in the place of the density.
    func rows(columns: Int = cellCount, sound: SoundLevels?) -> [String] {
        let cells = merged(into: columns)
        let signs = String(cells.map(Self.sign)).droppingTrailingSpaces
        let heights = sound.map { Self.loudness($0.levels(count: cells.count)) } ?? Self.density(cells)
        return [heights, signs, axis(columns: cells.count)]
    }

    /// As ``rows(columns:sound:)``, of the density.
    package func rows(columns: Int = cellCount) -> [String] { rows(columns: columns, sound: nil) }

    /// What the signs of the rows in so many columns mean, those that are in them, and what the heights do: in lines as wide as that.
    package func legend(columns: Int = cellCount) -> [String] { legend(columns: columns, isSound: false) }

    func legend(columns: Int, isSound: Bool) -> [String] {
        let cells = merged(into: columns)
        let signs = Set(cells.map(Self.sign))
        var parts = [isSound ? "height: loudness" : "height: markers"]
        for category in MarkerCategory.allCases where signs.contains(category.letter) {
            parts.append("\(category.letter) \(category.name.lowercased())")
        }
        if signs.contains("V") { parts.append("V voice note") }
        if signs.contains("•") { parts.append("• other") }
        let numbers = cells.map(\.count).filter { (2...9).contains($0) }
        if let least = numbers.min(), let most = numbers.max() {
            parts.append("\(least == most ? "\(least)" : "\(least)–\(most)") markers")
        }
        if signs.contains("+") { parts.append("+ more than nine") }
        return parts.reduce(into: []) { lines, part in
            guard let last = lines.last, last.count + 3 + part.count <= columns else {
                return lines.append(part)
            }
            lines[lines.count - 1] += " · \(part)"
        }
    }

    /// The same strip in fewer cells, so many that each holds the same number of those at hand.
    private func merged(into columns: Int) -> [Cell] {
        let count = (1...cells.count).last { cells.count.isMultiple(of: $0) && $0 <= columns } ?? 1
        let size = cells.count / count
        return (0..<count).map { group in
            cells[(group * size)..<((group + 1) * size)].reduce(into: Cell()) { $0.add($1) }
        }
    }

    private static func sign(of cell: Cell) -> Character {
        switch cell.count {
        case 0: " "
        case 1: cell.letter ?? "•"
        case 2...9: Character(String(cell.count))
        default: "+"
        }
    }

    private static let blocks: [Character] = ["▁", "▂", "▃", "▅", "▆", "▇"]

    /// A block for each piece of the session that has sound.
    private static func loudness(_ levels: [Double?]) -> String {
        let steps = Double(blocks.count - 1)
        return String(levels.map { level in level.map { blocks[Int(($0 * steps).rounded())] } ?? " " })
            .droppingTrailingSpaces
    }

    /// A block for each cell, high where much is there and right beside it; the highest is the densest of the session.
    private static func density(_ cells: [Cell]) -> String {
        let weights = [1, 2, 3, 2, 1]
        let sums = cells.indices.map { index in
            weights.indices.reduce(0) { sum, place in
                let neighbour = index + place - weights.count / 2
                return cells.indices.contains(neighbour) ? sum + weights[place] * cells[neighbour].count : sum
            }
        }
        let highest = max(1, sums.max() ?? 1)
        let steps = blocks.count - 1
        return String(sums.map { $0 == 0 ? blocks[0] : blocks[max(1, ($0 * steps + highest / 2) / highest)] })
    }

    /// The times of start, middle and end, as far as there is room for them.
    private func axis(columns: Int) -> String {
        let start = SessionOffset.zero.clock
        let middle = length.half.clock
        let end = length.clock
        let middleColumn = columns / 2 - middle.count / 2
        let endColumn = columns - end.count
        var axis = start
        if middleColumn >= start.count + 2, middleColumn + middle.count + 2 <= endColumn {
            axis += String(repeating: " ", count: middleColumn - axis.count) + middle
        }
        if endColumn > axis.count { axis += String(repeating: " ", count: endColumn - axis.count) + end }
        return axis
    }
}

extension String {
    fileprivate var droppingTrailingSpaces: String {
        var rest = self[...]
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
