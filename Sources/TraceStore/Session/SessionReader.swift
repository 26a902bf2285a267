package import RecordFormat
package import SystemPackage
package import TraceFiles
package import TraceFormat
internal import TraceText

/// Reads a session directory and reports what is wrong; changes nothing.
package struct SessionReader: Sendable {
    package let directory: OpenDirectory
    /// How long a file must have rested before its unfinished last line counts as torn.
    private let settleTime: Duration

    /// - Throws: ``FileError`` with `.notFound` or `.permissionDenied`.
    package init(_ path: FilePath, settleTime: Duration = .seconds(2)) throws {
        self.init(try OpenDirectory(path), settleTime: settleTime)
    }

    /// A look at a directory that is open already.
    package init(_ directory: OpenDirectory, settleTime: Duration = .seconds(2)) {
        self.directory = directory
        self.settleTime = settleTime
    }

    /// The largest `session.json` that is read, in bytes.
    static let maximumHeaderSize: Int64 = 16 << 20

    // MARK: - session.json

    /// What `session.json` says, and the file as it was then.
    package struct Header: Sendable {
        package var session: Session
        /// Nil if the file does not exist or can't be read.
        package var identity: FileIdentity?
        var findings: [Finding]
        /// Whether the file is one JSON object: one that is being rewritten in place is empty or torn for a moment.
        var isWhole = false
    }

    /// Reads `session.json`; what is wrong with it is in the findings.
    package func header() throws -> Header {
        do {
            return try readableHeader()
        } catch let error as FileError {
            return Header(session: Session(), findings: [Finding(unreadable: .session, error)])
        }
    }

    /// As ``header()``, for those who act on what it says: a file that can't be read is an error.
    ///
    /// - Throws: ``FileError``.
    package func readableHeader() throws -> Header {
        guard let file = try directory.readFile(RecordKind.session.component, limit: Self.maximumHeaderSize)
        else {
            let place = Finding.Place(file: RecordKind.session.fileName)
            return Header(
                session: Session(), findings: [Finding(.fileMissing, at: place, "the file does not exist")])
        }
        let checker = try RecordChecker(.session)
        var findings: [Finding] = []
        let session = PaddedBytes.withLine(file.contents) { line in
            checker.check(line) { findings.append($0) }.map { Session($0) }
        }
        return Header(
            session: session ?? Session(), identity: file.identity, findings: findings,
            isWhole: session != nil)
    }

    /// How long a `session.json` that is not whole is waited for.
    static let headerTimeout = Duration.seconds(1)

    /// As ``readableHeader()``, but a file that another program is rewriting in place is waited for: it is read again, with
    /// growing pauses, until it is whole or has been left alone for a second, and for a second at most.
    ///
    /// - Throws: ``FileError``.
    package func settledHeader() throws -> Header {
        var retry = RetryDeadline(timeout: Self.headerTimeout)
        while true {
            do {
                let header = try readableHeader()
                guard !header.isWhole, let identity = header.identity, isBeingRewritten(identity),
                    retry.pause()
                else { return header }
            } catch let error as FileError where error.code == .changedMeanwhile {
                guard retry.pause() else { throw error }
            }
        }
    }

    /// Whether a `session.json` that is not whole may be so because a program is about to write the rest of it.
    func isBeingRewritten(_ identity: FileIdentity) -> Bool {
        !SessionReader(directory, settleTime: Self.headerTimeout).isSettled(identity)
    }

    // MARK: - JSONL

    /// The outcome of reading one file of lines.
    package struct Reading: Sendable {
        /// The file as it was before it was read.
        package var identity: FileIdentity
        /// Where reading can continue.
        package var resumePoint: RecordStream.ResumePoint
    }

    /// The file of a kind as it is now, or nil if it does not exist.
    ///
    /// - Throws: ``FileError`` with `.permissionDenied` or `.io`.
    package func identity(of kind: RecordKind) throws -> FileIdentity? {
        try directory.statusIfPresent(of: kind.component, followingLinks: true)?.identity
    }

    /// Reads the lines of one file; what is wrong with them goes to `onFinding`.
    ///
    /// - Returns: Nil if the file does not exist or can't be read, which is a finding then.
    /// - Throws: What the closures throw.
    package func read(
        _ kind: RecordKind, from start: RecordStream.ResumePoint = .start,
        onRecord: @escaping (RecordSummary) throws -> Void, onFinding: @escaping (Finding) throws -> Void
    ) throws -> Reading? {
        try readLines(kind, from: start, onLine: { try onRecord($0.summary) }, onFinding: onFinding)
    }

    /// As ``read(_:from:onRecord:onFinding:)``, for those who take little out of each line.
    package func readLines(
        _ kind: RecordKind, from start: RecordStream.ResumePoint = .start,
        onLine: @escaping (CheckedLine) throws -> Void,
        onFinding: @escaping (Finding) throws -> Void = { _ in
        }
    ) throws -> Reading? {
        try readLines(kind, from: start, onLine: onLine, onFinding: onFinding) {
            try onFinding(Finding(unreadable: kind, $0))
        }
    }

    /// Reads the records of one file for those who act on what it says: a file that can't be read to its end is an error.
    ///
    /// - Throws: ``FileError``; what `onRecord` throws. A file that does not exist has no records.
    package func read(_ kind: RecordKind, onRecord: @escaping (RecordSummary) throws -> Void) throws {
        _ = try readLines(kind, from: .start, onLine: { try onRecord($0.summary) }, onFinding: { _ in }) {
            throw $0
        }
    }

    private func readLines(
        _ kind: RecordKind, from start: RecordStream.ResumePoint,
        onLine: @escaping (CheckedLine) throws -> Void, onFinding: @escaping (Finding) throws -> Void,
        onFailure: (FileError) throws -> Void
    ) throws -> Reading? {
        guard let file = try open(kind, onFailure) else { return nil }
        return try readLines(kind, in: file, from: start, onLine: onLine, onFinding: onFinding, onFailure)
    }

    /// Reads the records of a file that is open, from a place on, for those who act on what it says.
    ///
    /// - Throws: ``FileError``; what `onRecord` throws.
    func read(
        _ kind: RecordKind, in file: OpenRegularFile, from start: RecordStream.ResumePoint,
        onRecord: @escaping (RecordSummary) throws -> Void
    ) throws {
        _ = try readLines(
            kind, in: file, from: start, onLine: { try onRecord($0.summary) }, onFinding: { _ in }
        ) { throw $0 }
    }

    private func readLines(
        _ kind: RecordKind, in file: OpenRegularFile, from start: RecordStream.ResumePoint,
        onLine: @escaping (CheckedLine) throws -> Void, onFinding: @escaping (Finding) throws -> Void,
        _ onFailure: (FileError) throws -> Void
    ) throws -> Reading {
        let stream = try RecordStream(
            linesOf: .of(kind), from: start, isSettled: isSettled(file.identity), onLine: onLine,
            onFinding: onFinding)
        let failure = try file.readPieces(from: Int64(start.byteOffset)) { _ in
            stream.space()
        } _: { piece, _ in
            try stream.filled(piece.count)
        }
        if let failure { try onFailure(file.unreadable(failure)) }
        try stream.finish()
        return Reading(identity: file.identity, resumePoint: stream.resumePoint)
    }

    /// Checks the lines of one file on all cores; a part of it after the other is handed out, in the file's
    /// order.
    ///
    /// - Throws: What the closures throw.
    func check(
        _ kind: RecordKind, _ interest: RecordInterest, onSegment: (RecordSegment) throws -> Void,
        onFinding: (Finding) throws -> Void
    ) throws {
        guard let file = try open(kind, { try onFinding(Finding(unreadable: kind, $0)) }) else { return }
        let reading = SegmentedReading(
            file: file, kind: kind, isSettled: isSettled(file.identity), interest: interest)
        guard let error = try reading.run(onSegment) else { return }
        try onFinding(Finding(unreadable: kind, error))
    }

    func open(
        _ kind: RecordKind, _ onFailure: (FileError) throws -> Void
    ) throws -> OpenRegularFile? {
        do {
            return try directory.openRegularFile(kind.component)
        } catch let error as FileError {
            try onFailure(error)
            return nil
        }
    }

    /// Whether a file has rested; one from the future counts as resting, or it never would.
    package func isSettled(_ identity: FileIdentity) -> Bool {
        let age = SystemTime.now() - identity.modified
        return age < .zero || age >= settleTime
    }

    // MARK: - The directory

    /// What is in the directory, and where the given media paths lead.
    ///
    /// - Throws: ``FileError`` if the directory can't be listed.
    package func contents(mediaPaths: Set<String>) throws -> SessionFacts.Directory {
        var contents = SessionFacts.Directory()
        try directory.forEachName { name in
            let text = name.escaped
            if SessionLayout.files.contains(text) { contents.files.insert(text) }
            if JournalLayout.session.original(of: text) != nil { contents.conflictCopies.append(text) }
            let original = JournalLayout.session.fileInOtherCase(text)
            if original != nil || JournalLayout.session.mayHoldRecords(text) && holdsRecord(name) {
                contents.misnamed.append(SessionFacts.Misnamed(name: text, original: original))
            }
        }
        contents.conflictCopies.sort()
        contents.misnamed.sort { $0.name < $1.name }
        var names: [String: String]?
        for path in mediaPaths {
            var state = mediaState(path)
            if state == .missing, let name = misnamedMedia(path, &names) { state = .misnamed(as: name) }
            contents.media[path] = state
        }
        return contents
    }

    /// Whether a file with a strange name begins with a record; of a document, as much is read as a header may have.
    private func holdsRecord(_ name: FilePath.Component) -> Bool {
        guard let file = try? directory.openRegularFile(name, followsLink: false),
            let start = try? file.bytes(at: 0, count: min(Int(file.identity.size), 1 << 20))
        else { return false }
        return JournalLayout.holdsRecord(start)
    }

    /// The file in `media` whose name is that of a path if neither case counts nor how accents are encoded.
    ///
    /// - Parameter names: What is in `media`, by names in lower case, which compare equal however their accents are encoded.
    private func misnamedMedia(_ path: String, _ names: inout [String: String]?) -> String? {
        guard let components = MediaPath.components(of: path), components.count == 2,
            let folder = components.first, folder.string == SessionLayout.media, let last = components.last
        else { return nil }
        let known =
            names
            ?? {
                var listed: [String: String] = [:]
                let media = try? directory.openDirectory(folder)
                try? media?.forEachName { listed[$0.escaped.lowercased()] = $0.escaped }
                return listed
            }()
        names = known
        return known[last.escaped.lowercased()]
    }

    private func mediaState(_ path: String) -> SessionFacts.MediaState {
        guard let components = MediaPath.components(of: path) else {
            return MediaPath.namesDirectory(path) ? .missing : .outside
        }
        var current = directory
        do {
            for component in components.dropLast() { current = try current.openDirectory(component) }
            guard let last = components.last else { return .outside }
            switch try current.statusIfPresent(of: last, followingLinks: false)?.kind {
            case .regular: return .present
            case .symbolicLink: return .outside
            default: return .missing
            }
        } catch let error as FileError {
            return error.code == .leavesSession ? .outside : .missing
        } catch {
            return .missing
        }
    }
}

extension Finding {
    /// That a file can't be read.
    fileprivate init(unreadable kind: RecordKind, _ error: FileError) {
        self.init(.fileUnreadable, at: Place(file: kind.fileName), error.message)
    }
}

extension RecordKind {
    /// The name of the kind's file.
    package var component: FilePath.Component {
        Self.components.first { $0.kind == self }?.name ?? "session.json"
    }

    /// Made once: a name is asked for several times a session, whenever thousands of them are looked at. A
    /// dictionary of so few would cost more to make than it saves.
    private static let components: [(kind: RecordKind, name: FilePath.Component)] = allCases.compactMap {
        kind in
        FilePath.Component(kind.fileName).map { (kind, $0) }
    }
}
