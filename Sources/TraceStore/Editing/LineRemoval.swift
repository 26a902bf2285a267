internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

extension LockedSession {
    /// Takes lines out of a file of records; every other byte stays.
    ///
    /// The format has no line that says "gone", so the file is replaced.
    ///
    /// - Parameter choose: The lines to take out; called again where the file changed while it was replaced.
    /// - Throws: As ``replaceLines(of:_:)``.
    ///
    /// Source: docs/decisions/0004-removal-rewrites.md.
    func removeLines(
        from kind: RecordKind, _ choose: (RecordLines) throws -> [RecordLine]
    ) throws {
        try replaceLines(of: kind) { lines in
            let chosen = try choose(lines)
            return chosen.isEmpty ? nil : Self.contents(lines.bytes, without: chosen)
        }
    }

    /// Gives a file of records other contents; the name has the old ones or the new, whole.
    ///
    /// Programs that append without a lock may do so meanwhile: what they appended to the old file after it was read is
    /// carried over to the new one.
    ///
    /// - Parameter change: The new contents, nil if nothing is to change; called again where the file changed while it was
    ///   replaced.
    /// - Throws: ``FileError`` with `.changedMeanwhile` if the file keeps changing or its last line is still being written,
    ///   else as ``OpenDirectory/replaceFile(_:with:expecting:)``: then the file is untouched.
    /// - Note: Durable on return. Killed in between, nothing is lost but what another program appended
    ///   without a lock in the instant before the rename.
    func replaceLines(of kind: RecordKind, _ change: (RecordLines) throws -> [UInt8]?) throws {
        let name = kind.component
        for attempt in 1...5 {
            guard let old = try directory.openRegularFile(name) else { return }
            guard let file = try directory.readFile(name, limit: SessionContents.limit),
                file.identity.isSameFile(as: old.identity)
            else { continue }
            let lines = try RecordLines(file.contents, kind: kind)
            try requireSettled(of: lines, file.identity, kind)
            guard let contents = try change(lines) else { return }
            do {
                try directory.replaceFile(name, with: contents, expecting: file.identity)
            } catch let error as FileError where error.code == .changedMeanwhile && attempt < 5 {
                continue
            }
            return try copyLaterLines(from: old, beyond: Int64(file.contents.count), to: kind)
        }
        throw FileError(
            .changedMeanwhile, "kept being replaced while its lines were changed",
            path: directory.path(of: name),
            cure: "wait until the program that writes it has finished, then try again")
    }

    /// A torn last line that is young may be half of a write that continues; where it belongs would be unknown after a rename.
    private func requireSettled(of lines: RecordLines, _ identity: FileIdentity, _ kind: RecordKind) throws {
        guard lines.lines.last?.isFinished == false,
            !SessionReader(directory).isSettled(identity)
        else { return }
        throw FileError(
            .changedMeanwhile, "the last line is still being written",
            path: directory.path(of: kind.component), cure: "try again in a few seconds")
    }

    static func contents(_ bytes: [UInt8], without lines: [RecordLine]) -> [UInt8] {
        var rest: [UInt8] = []
        rest.reserveCapacity(bytes.count)
        var start = 0
        for line in lines.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            rest += bytes[start..<line.range.lowerBound]
            start = line.range.upperBound
            if start < bytes.count, bytes[start] == UInt8(ascii: "\r") { start += 1 }
            if start < bytes.count, bytes[start] == newline { start += 1 }
        }
        return rest + bytes[start...]
    }

    /// Appends to the new file what another program appended to the old one after it was read.
    private func copyLaterLines(
        from old: OpenRegularFile, beyond length: Int64, to kind: RecordKind
    ) throws {
        var copied = length
        var retry = RetryDeadline(timeout: .milliseconds(40))
        while true {
            try explaining("look for more lines", old.path) { () throws(Errno) in
                try directory.reach(.verify, kind.component)
            }
            let size = try old.currentIdentity().size
            guard size > copied else { return }
            // Longer than any line that counts, and no more however much has come.
            let bytes = try old.bytes(at: copied, count: Int(min(size - copied, 1 << 26)))
            // An incomplete line is waited for; the rest may be in transit.
            let mayRetry = retry.pause()
            let whole = bytes.lastIndex(of: newline).map { $0 + 1 } ?? 0
            let taken = mayRetry ? whole : bytes.count
            for line in bytes[..<taken].split(separator: newline) {
                _ = try lock.appendLine(Array(line), to: kind.component, isWholeRecord: RecordCheck.isObject)
            }
            copied += Int64(taken)
        }
    }
}
