internal import Glibc
package import SystemPackage
internal import TraceText

/// The result of ``DirectoryLock/appendLine(_:to:attempts:isWholeRecord:)``.
package struct AppendedLine: Equatable, Sendable {
    /// Where the line begins: the offset of its first byte.
    package var offset: Int64
    /// Its length in bytes, with its newline.
    package var length: Int
    /// The file after the append.
    package var identity: FileIdentity
    /// The torn line in front of it, if there is one: to be reported, since its bytes were left as they are.
    package var tornTail: TornTail?
    /// Whether the file did not exist before.
    package var createdFile: Bool
}

/// A last line that is neither finished nor a whole record: what a killed writer or a sync in transit leaves.
package struct TornTail: Equatable, Sendable {
    /// The offset of its first byte; where a line is longer than 16 MiB, of the first byte that was looked
    /// at.
    package var offset: Int64
    /// Its length in bytes, from ``offset``, without the newline that now ends it.
    package var length: Int
}

extension DirectoryLock {
    /// Appends one line to a file of lines in the locked directory. A symbolic link is followed.
    ///
    /// A last line that lacks its newline gets one first, in the same `write`: if it is a whole record it was
    /// only unfinished; if not it is torn, its bytes stay for a person to judge, and the result says where.
    ///
    /// Programs that don't lock may write meanwhile. What they append in between is kept and ours goes behind
    /// it. If they rename another file over this one, the line is appended to that file too, since it is the
    /// one that will be read; unless they have taken the line along, as an editor does that read it in time.
    ///
    /// - Parameters:
    ///   - line: The bytes of the line, without a newline in it.
    ///   - isDurable: Whether it must be durable on return; if not, a power cut may take it back.
    ///   - attempts: How many files in a row may be renamed away under it.
    ///   - isWholeRecord: Whether the bytes of an unfinished last line are a whole record.
    ///   - isOurs: Whether a line is the one that was appended, should a program that replaced the file have read it, changed
    ///     its spelling and written it back; nil if there can be no other notation.
    /// - Throws: ``FileError``. `.diskFull`, `.fileTooLarge`, `.readOnly`, `.permissionDenied`, `.io`: the
    ///   file is as long as before, a file created for this is gone again; where another program appended
    ///   behind a partial write so that it can't be taken back, the message says so and gives its place.
    ///   `.verificationFailed`: a program kept replacing the file. `.invalidData` for a line that is empty or
    ///   holds a newline, `.notRegularFile` for a pipe or directory.
    /// - Note: Durable on return. Killed in between, the file has the line, or not, or a torn last line,
    ///   which the next append recognises; never anything else, and the lines that were there are untouched.
    /// - Complexity: O(length of the line and of an unfinished last one), whatever the size of the file; O(size)
    ///   where another program has renamed a file over it in between.
    ///
    /// Source: docs/durability.md#append; write(2), fsync(2).
    package func appendLine(
        _ line: [UInt8], to name: FilePath.Component, isDurable: Bool = true, attempts: Int = 5,
        isWholeRecord: ([UInt8]) -> Bool, isOurs: ((ArraySlice<UInt8>) -> Bool)? = nil
    ) throws -> AppendedLine {
        guard !line.contains(newline) else { throw directory.notLines(name) }
        return try directory.append(
            line + [newline], count: 1, to: name, isDurable: isDurable, attempts: attempts,
            isWholeRecord: isWholeRecord, isOurs: isOurs ?? { $0.elementsEqual(line) })
    }

    /// Appends several lines in one `write`, as ``appendLine(_:to:isDurable:attempts:isWholeRecord:isOurs:)`` does one.
    ///
    /// - Parameters:
    ///   - lines: So many lines, each with its newline.
    /// - Returns: What was appended as a whole.
    /// - Throws: ``FileError`` also with `.changedMeanwhile` if a program has replaced the file and taken some of the lines
    ///   along, and others not.
    /// - Note: Durable on return. Killed in between, the file has the lines, or none of them, or the first of them and a torn
    ///   last line.
    package func appendLines(
        _ lines: [UInt8], count: Int, to name: FilePath.Component, attempts: Int = 5,
        isWholeRecord: ([UInt8]) -> Bool, isOurs: @escaping (ArraySlice<UInt8>) -> Bool
    ) throws -> AppendedLine {
        try directory.append(
            lines, count: count, to: name, isDurable: true, attempts: attempts, isWholeRecord: isWholeRecord,
            isOurs: isOurs)
    }
}

extension OpenDirectory {
    fileprivate func notLines(_ name: FilePath.Component) -> FileError {
        FileError(.invalidData, "a line to append is empty or holds a newline", path: path(of: name))
    }

    /// Appends lines; the caller holds the lock of the directory, or of the file.
    func append(
        _ lines: [UInt8], count: Int, to name: FilePath.Component, isDurable: Bool, attempts: Int,
        isWholeRecord: ([UInt8]) -> Bool, isOurs: @escaping (ArraySlice<UInt8>) -> Bool
    ) throws -> AppendedLine {
        guard lines.lineCount == count else { throw notLines(name) }
        var made = 0
        while true {
            let append = LineAppend(
                lines: lines, lineCount: count, name: name, directory: self,
                place: try finalPlace(of: name), isDurable: isDurable, isOurs: isOurs)
            switch try append.attempt(isWholeRecord) {
            case .done(let appended): return appended
            case .displaced(let equalLines):
                if let appended = try append.findInReplacement(besides: equalLines, attempts: attempts) {
                    return appended
                }
            case .interleaved: break
            }
            made += 1
            if made >= attempts { throw append.replacedTooOften(attempts) }
        }
    }
}

extension [UInt8] {
    /// How many lines these are, each with its newline; nil if one is empty, or the last lacks its newline.
    fileprivate var lineCount: Int? {
        var count = 0
        var last = newline
        for byte in self {
            if byte == newline {
                if last == newline { return nil }
                count += 1
            }
            last = byte
        }
        return last == newline && count > 0 ? count : nil
    }
}

/// One attempt at an append.
private struct LineAppend {
    /// One line or several, each with its newline.
    let lines: [UInt8]
    let lineCount: Int
    let name: FilePath.Component
    let directory: OpenDirectory
    let place: FilePlace
    let isDurable: Bool
    let isOurs: (ArraySlice<UInt8>) -> Bool

    struct Opened: ~Copyable {
        let file: OpenFile
        let isNew: Bool
    }

    /// The byte range that one `write` filled.
    struct WrittenRange {
        var start: Int64
        var end: Int64
    }

    /// The outcome of an attempt.
    enum Attempt {
        case done(AppendedLine)
        /// The line is not where a reader will look for it; so many equal ones were before it in the file.
        case displaced(equalLines: Int)
        /// Another program's unfinished line came in between; ours has been taken back.
        case interleaved
    }

    func attempt(_ isWholeRecord: ([UInt8]) -> Bool) throws -> Attempt {
        let opened = try open()
        do {
            return try append(to: opened.file, isNew: opened.isNew, isWholeRecord)
        } catch {
            if opened.isNew { removeIfEmpty(opened.file) }
            throw error
        }
    }

    private func append(
        to file: borrowing OpenFile, isNew: Bool, _ isWholeRecord: ([UInt8]) -> Bool
    ) throws -> Attempt {
        let length = try file.regularStatus(at: place.path).identity.size
        let tail = try call("read the last line", on: file) { file throws(Errno) in
            try file.tail(length: length)
        }
        var bytes = lines
        var tornTail: TornTail?
        if case .unfinished(let offset, let last, let isWhole) = tail {
            bytes.insert(newline, at: 0)
            if !isWhole || !isWholeRecord(last) {
                tornTail = TornTail(offset: offset, length: last.count)
            }
        }
        guard let range = try write(bytes, to: file, after: length) else { return .interleaved }
        if isDurable { try makeDurable(file, range, isFirstLine: isNew || length == 0) }
        guard let identity = try findAgain(bytes, at: range, in: file) else {
            let before = try call("read back", on: file) { file throws(Errno) in
                try file.lines(before: range.start, where: isOurs)
            }
            return .displaced(equalLines: before.count)
        }
        return .done(
            AppendedLine(
                offset: range.end - Int64(lines.count), length: lines.count, identity: identity,
                tornTail: tornTail, createdFile: isNew))
    }

    /// Checks whether the program that replaced the file read our line before and kept it.
    ///
    /// - Parameters:
    ///   - equalLines: How many equal lines there were without ours.
    ///   - attempts: How often to look, where the file is replaced again meanwhile.
    /// - Returns: Nil if ours is not among them; else it is durable now.
    /// - Throws: ``FileError`` with `.verificationFailed` if the file is replaced each time: appending once more could
    ///   then double the line, and who comes later will see which of the files has stayed.
    func findInReplacement(besides equalLines: Int, attempts: Int) throws -> AppendedLine? {
        for _ in 0..<attempts {
            let opened: OpenFile
            do throws(Errno) {
                opened = try place.directory.openFile(place.name, O_RDONLY | O_NONBLOCK)
            } catch {
                if error == .noSuchFileOrDirectory { return nil }
                throw FileError("read back", place.path, error)
            }
            let size = try opened.regularStatus(at: place.path).identity.size
            var isPart = false
            let (isOver, appended) = try call("read back", on: opened) {
                file throws(Errno) -> (Bool, AppendedLine?) in
                let found = try file.lines(before: size, where: isOurs)
                if found.count > equalLines { try file.sync() }
                guard place.directory.isNamed(place.name, file) else { return (false, nil) }
                guard found.count > equalLines, let last = found.last else { return (true, nil) }
                isPart = found.count < equalLines + lineCount
                try place.directory.sync()
                return (
                    true,
                    AppendedLine(
                        offset: last.offset, length: last.length, identity: try file.status().identity,
                        tornTail: nil, createdFile: false)
                )
            }
            if isPart {
                throw FileError(
                    .changedMeanwhile,
                    "was replaced by another program, with only some of the appended lines",
                    path: place.path, cure: "try again: lines that are already there are skipped")
            }
            if isOver { return appended }
        }
        throw replacedTooOften(attempts)
    }

    func replacedTooOften(_ attempts: Int) -> FileError {
        FileError(
            .verificationFailed,
            "was replaced by another program \(attempts) times while a line was appended", path: place.path,
            cure: "find the program that keeps rewriting it, stop it, then try again")
    }

    /// Opens the file, creating it if need be. O_NONBLOCK, so that a pipe by this name can't hold us up.
    private func open() throws -> Opened {
        let flags = O_RDWR | O_APPEND | O_NONBLOCK
        return try explaining("open for appending", place.path) { () throws(Errno) -> Opened in
            while true {
                do throws(Errno) {
                    return Opened(file: try place.directory.openFile(place.name, flags), isNew: false)
                } catch { if error != .noSuchFileOrDirectory { throw error } }
                do throws(Errno) {
                    let file = try place.directory.openFile(
                        place.name, flags | O_CREAT | O_EXCL, permissions: 0o666)
                    return Opened(file: file, isNew: true)
                } catch { if error != .fileExists { throw error } }
            }
        }
    }

    /// Hands the bytes to the kernel in one `write`.
    ///
    /// - Returns: Where they are; nil if another program's bytes without a newline came in between, so that ours would not be a
    ///   line of their own.
    private func write(_ bytes: [UInt8], to file: borrowing OpenFile, after length: Int64) throws
        -> WrittenRange?
    {
        let (count, end) = try call("write", on: file) { file throws(Errno) in
            try directory.reach(.write, name)
            let count = try file.writeOnce(bytes)
            return (count, try file.position())
        }
        // With O_APPEND the kernel leaves the position at the end of what it wrote, even if others append.
        let range = WrittenRange(start: end - Int64(count), end: end)
        guard count == bytes.count else {
            let cause = Self.causeOfShortWrite(upTo: end)
            throw takeBack(
                range, from: file, because: FileError("write the whole line", place.path, cause))
        }
        guard range.start != length, range.start > 0, bytes.first != newline else { return range }
        let before = try call("read back", on: file) { file throws(Errno) in
            try file.bytes(at: range.start - 1, count: 1)
        }
        if before == [newline] { return range }
        _ = takeBack(range, from: file, because: FileError(.changedMeanwhile, "changed", path: place.path))
        return nil
    }

    private func makeDurable(_ file: borrowing OpenFile, _ range: WrittenRange, isFirstLine: Bool) throws {
        do {
            try call("make durable", on: file) { file throws(Errno) in
                try directory.reach(.sync, name)
                try file.syncData()
                // Also for a file that was empty: who created it may have been killed before it synced the
                // name.
                if isFirstLine { try place.directory.sync() }
            }
        } catch { throw takeBack(range, from: file, because: error) }
    }

    /// Looks whether the bytes are in the file that has the name *now*.
    ///
    /// - Returns: That file, or nil if they are not there.
    private func findAgain(
        _ bytes: [UInt8], at range: WrittenRange, in file: borrowing OpenFile
    ) throws -> FileIdentity? {
        try call("read back", on: file) { file throws(Errno) in
            try directory.reach(.verify, name)
            let opened = try file.status().identity
            let named: FileIdentity
            do throws(Errno) {
                named = try directory.rawStatus(of: name, followingLinks: true).identity
            } catch {
                if error == .noSuchFileOrDirectory { return nil }
                throw error
            }
            guard named.isSameFile(as: opened), named.size >= range.end else { return nil }
            return try file.holds(bytes, at: range.start) ? named : nil
        }
    }

    private func call<Result>(
        _ operation: String, on file: borrowing OpenFile,
        _ calls: (borrowing OpenFile) throws(Errno) -> Result
    ) throws(FileError) -> Result {
        do throws(Errno) { return try calls(file) } catch { throw FileError(operation, place.path, error) }
    }
}

// MARK: - Taking back

extension LineAppend {
    /// Cuts off a stretch that must not stay, if it is still the end of the file.
    ///
    /// The length is compared right before the cut: were another program's bytes behind ours, cutting would
    /// lose them. (A program that appends without a lock between these two system calls can't be protected.)
    ///
    /// - Returns: `cause`, with what is left of the stretch told in it.
    private func takeBack(
        _ range: WrittenRange, from file: borrowing OpenFile, because cause: FileError
    ) -> FileError {
        var cause = cause
        guard range.end > range.start else { return cause }
        let isEnd = (try? file.status().identity.size) == range.end
        if isEnd, (try? file.truncate(to: range.start)) != nil {
            // So that a power cut doesn't bring the bytes back. No success is claimed, so its failure changes
            // nothing.
            _ = try? file.syncData()
            return cause
        }
        if isEnd { _ = try? file.writeOnce([newline]) }
        cause.place?.byteOffset = range.start
        cause.message +=
            "; \(range.end - range.start) bytes of it stay, because "
            + (isEnd ? "the file can't be truncated" : "another program changed the file at the same time")
        return cause
    }

    /// Removes the file that this attempt created, if nobody wrote to it.
    private func removeIfEmpty(_ file: borrowing OpenFile) {
        guard let opened = try? file.status().identity, opened.size == 0,
            let named = try? place.directory.rawStatus(of: place.name, followingLinks: false),
            named.identity.isSameFile(as: opened)
        else { return }
        _ = try? place.directory.unlink(place.name)
    }

    /// A regular file takes fewer bytes than asked only at a limit, and says which one only if asked to go beyond, which at the
    /// process's own limit would be answered with a deadly SIGXFSZ.
    ///
    /// Source: write(2), "ERRORS", EFBIG; getrlimit(2), RLIMIT_FSIZE.
    private static func causeOfShortWrite(upTo end: Int64) -> Errno {
        var limit = rlimit()
        // Sound: the kernel fills in the struct, which outlives the call.
        let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0
        return Errno(rawValue: isKnown && UInt64(limit.rlim_cur) <= UInt64(end) ? EFBIG : ENOSPC)
    }
}
