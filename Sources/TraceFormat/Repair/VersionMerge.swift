package import RecordFormat

/// Joins the versions of a file of records that a sync tool could not: the file and its conflict copies.
///
/// The merged records are a function of what the versions hold, not of which is the file and which are
/// copies, nor of the order or number of merges: the join of a semilattice. docs/repair.md says what holds,
/// and why.
package struct VersionMerge: Sendable {
    /// The file as it is to be.
    package let bytes: [UInt8]
    /// How many lines each copy has that the file has not.
    package let news: [Int]
    /// Ids of the file of which another line counts than before.
    package let changed: [ULID]
    /// Ids that were edited in two versions independently, so that only the rule says which line counts.
    package let undecided: [ULID]
    /// What is damaged in each copy, and nowhere in the file; it is not merged.
    package let damages: [[Finding]]

    /// - Throws: ``FormatError`` with `.memory`.
    package init(
        _ kind: RecordKind, file: [UInt8], copies: [(name: String, bytes: [UInt8])]
    ) throws(FormatError) {
        var versions: [RecordLines] = []
        for copy in copies {
            versions.append(try RecordLines(copy.bytes, kind: kind, file: copy.name))
        }
        self.init(kind, file: try RecordLines(file, kind: kind), copies: versions)
    }

    /// As above, with versions that have been read.
    package init(_ kind: RecordKind, file main: RecordLines, copies: [RecordLines]) {
        var merge = MergeTable(kind)
        for version in [main] + copies { merge.add(version) }
        let order = merge.order()
        bytes = Self.bytes(of: order, in: merge, damagesOf: main)
        news = merge.versions.dropFirst().map { version in
            version.entries.count { !merge.versions[0].members.contains($0) }
        }
        let winners = merge.lastEntries(of: order)
        changed = merge.versions[0].winners.filter { id, entry in
            winners[id].map { merge.entries[$0].text != merge.entries[entry].text } ?? false
        }.keys.sorted()
        undecided = merge.undecided(winners)
        damages = copies.map { Self.damages(of: $0, notIn: main) }
    }

    /// Writes the lines in their order; what is damaged in the file stays behind the record that it followed.
    private static func bytes(of order: [Int], in merge: MergeTable, damagesOf main: RecordLines) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(main.bytes.count + main.bytes.count / 4)
        func write(_ text: ArraySlice<UInt8>) {
            result += text
            result.append(0x0A)
        }
        var damaged: [Int: [RecordLine]] = [:]
        var head: [RecordLine] = []
        var entries = merge.versions[0].entries.makeIterator()
        var previous: Int?
        for line in main.lines {
            if line.facts != nil {
                previous = entries.next()
            } else if let previous {
                damaged[previous, default: []].append(line)
            } else {
                head.append(line)
            }
        }
        for line in head { write(main.text(of: line)) }
        for entry in order {
            write(merge.entries[entry].text.bytes)
            for line in damaged[entry] ?? [] { write(main.text(of: line)) }
        }
        return result
    }

    /// What is damaged in a copy, and nowhere in the file.
    package static func damages(of copy: RecordLines, notIn main: RecordLines) -> [Finding] {
        let known = Set(main.lines.filter { $0.facts == nil }.map { main.text(of: $0) })
        return copy.lines.compactMap { line in
            guard case .damage(let finding) = line.content, !known.contains(copy.text(of: line)) else {
                return nil
            }
            return finding
        }
    }
}
