package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceMedia
package import TraceStore
package import TraceText

/// A recording from which a session is created afterwards.
package struct PastRecording: Sendable {
    package let file: FilePath
    package let media: NewMedia
    /// When its file was changed last: the end of the recording, if nobody has touched it since.
    private let changed: Timestamp
    /// What a person should know of it before it is copied.
    package let warnings: [ErrorReport]

    /// Looks at a file.
    ///
    /// - Parameters:
    ///   - shouldStop: Is asked while `ffprobe` reads it.
    ///   - onProgress: Gets how much has been gone through of a file that does not say how long it is.
    /// - Throws: ``FileError`` with `.notFound`; ``LibraryError`` with `.notARecording` if it is not a regular file, its
    ///   extension is not known, or it is empty or a text.
    package init(
        _ file: FilePath, shouldStop: @escaping () -> Bool = { false },
        onProgress: @escaping (Double?) -> Void = { _ in }
    ) throws {
        self.file = file
        guard let name = file.lastComponent else {
            throw FileError(.notFound, "is not a file", path: file, cure: "give the recording")
        }
        let directory = try OpenDirectory(file.removingLastComponent())
        let status = try directory.status(of: name, followingLinks: true)
        guard status.kind == .regular else {
            throw LibraryError(
                .notARecording, about: "from", "'\(file.escaped)' is not a regular file",
                cure: "give the recording")
        }
        changed = status.identity.modified.timestamp
        guard let known = file.extension.flatMap({ MediaFileType.of(extension: $0) }) else {
            throw LibraryError(
                .notARecording,
                about: "from", "'\(file.escaped)': the extension does not identify the kind of recording",
                cure: "omit \(option: "from"), then add it with \(verb: "media add --kind … --mime …")")
        }
        if let reason = try Self.notARecording(name, in: directory) {
            throw LibraryError(
                .notARecording, about: "from", "'\(file.escaped)' is not a recording: \(reason)",
                cure: "copy it from the recorder once more, or give another file")
        }
        let look = try FFmpeg(for: "session init", opening: .any, shouldStop: shouldStop).look(
            at: file, onProgress: onProgress)
        warnings = look?.warnings ?? []
        media = NewMedia(
            kind: known.kind, mime: known.mime, startOffset: .zero,
            duration: look?.length, suffix: file.extension.map { ".\($0)" } ?? "")
    }

    /// Why nothing can be heard in a file, whatever it is called, where that is plain without another program; else nil. A recording that was
    /// cut short, whose length nobody can tell, is one.
    private static func notARecording(
        _ name: FilePath.Component, in directory: OpenDirectory
    ) throws -> String? {
        guard let file = try directory.openRegularFile(name) else { return nil }
        var head = try file.bytes(at: 0, count: headLength)
        if head.isEmpty { return "it is empty" }
        if head.count == headLength {
            // A character may be cut in two.
            while let last = head.last, last & 0xC0 == 0x80 { head.removeLast() }
            if let last = head.last, last & 0x80 != 0 { head.removeLast() }
        }
        let isPlain = head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
        return isPlain && String(validating: head, as: UTF8.self) != nil ? "it is a text" : nil
    }

    /// How much of a file is looked at, in bytes. In the containers of recordings the first numbers have zeros, or bytes that are not UTF-8.
    private static let headLength = 4096

    /// When the recording began: so long before its file was changed last as it lasts.
    ///
    /// - Parameters:
    ///   - zone: That of the messages.
    ///   - warn: Called with what makes the moment unlikely.
    /// - Throws: ``LibraryError`` with `.recordingLengthUnknown` if it is not known how long it lasts; with `.timeInFuture` if the file was
    ///   changed in the future.
    package func start(
        in zone: ZoneRules = .utc, now: Timestamp = Clock.now(), warn: (ErrorReport) -> Void = { _ in }
    ) throws(LibraryError) -> Timestamp {
        guard changed.milliseconds(since: now) <= Clock.tolerance else {
            throw LibraryError(
                .timeInFuture,
                "'\(file.escaped)' was last changed at \(zone.exactText(changed)), in the future, so that does not tell when it began",
                cure: "give it with \(option: "start"); the clock of the recorder may be wrong")
        }
        guard let duration = media.duration else {
            throw LibraryError(
                .recordingLengthUnknown,
                "when '\(file.escaped)' began is unknown, since ffprobe can't read its duration",
                cure: "give it with \(option: "start")")
        }
        if changed < Self.firstLikely {
            warn(
                ErrorReport(
                    place: file.escaped,
                    message:
                        "it was last changed at \(zone.exactText(changed)), as a recorder has it whose clock was never set",
                    cure:
                        "correct the start with \(verb: "session edit --start TIME"), and set the clock of the recorder"
                ))
        }
        return changed.subtracting(duration)
    }

    /// 1981: clocks that were never set begin in 1904, 1970 or 1980.
    private static let firstLikely = Timestamp(milliseconds: 347_155_200_000)
}
