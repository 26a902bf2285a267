internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

/// What is looked at in a session directory to tell whether anything changed.
enum FileSlot: Int, CaseIterable {
    /// The directory itself: which names there are.
    case directory
    /// Its `media`: which media files there are.
    case media
    case session, timeline, marker, voiceNote, transcript, action

    init(_ kind: RecordKind) {
        self =
            switch kind {
            case .session: .session
            case .timeline: .timeline
            case .marker: .marker
            case .voiceNote: .voiceNote
            case .transcript: .transcript
            case .action: .action
            }
    }

    init?(name: String) {
        guard let slot = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = slot
    }

    /// What stands in `file.kind`.
    var name: String {
        switch self {
        case .directory: "directory"
        case .media: "media"
        default: kind?.rawValue ?? ""
        }
    }

    /// The kind of record that the file holds.
    var kind: RecordKind? {
        switch self {
        case .directory, .media: nil
        case .session: .session
        case .timeline: .timeline
        case .marker: .marker
        case .voiceNote: .voiceNote
        case .transcript: .transcript
        case .action: .action
        }
    }
}

/// One look at a session directory: which files there are, and in which state.
struct SessionLook {
    let session: OpenSession
    /// The clock before the first of them was looked at.
    let time: SystemTime
    private var seen: [Seen]

    /// What a look at a file showed.
    enum Seen: Equatable {
        case absent
        case present(FileIdentity)
        /// It can't be told.
        case unknown

        var identity: FileIdentity? {
            if case .present(let identity) = self { identity } else { nil }
        }
    }

    /// - Throws: ``FileError`` with `.notFound` or `.permissionDenied` for the directory.
    init(_ path: FilePath, settleTime: Duration) throws {
        let session = try OpenSession(path, settleTime: settleTime)
        self.session = session
        let directory = session.directory
        time = SystemTime.now()
        seen = try FileSlot.allCases.map { slot in
            switch slot {
            case .directory: .present(try directory.status().identity)
            case .media:
                Self.seen { try directory.statusIfPresent(of: "media", followingLinks: false)?.identity }
            default:
                Self.seen { try slot.kind.flatMap { try session.identity(of: $0) } }
            }
        }
    }

    private static func seen(_ look: () throws -> FileIdentity?) -> Seen {
        do { return try look().map(Seen.present) ?? .absent } catch { return .unknown }
    }

    subscript(slot: FileSlot) -> Seen { seen[slot.rawValue] }
}

extension FileIdentity {
    /// Whether the file changed so short a time before `time` that another change might leave the same identity: the
    /// kernel's clock for file times stands still for up to 10 ms.
    func isTooFresh(at time: SystemTime) -> Bool { time - changed < .milliseconds(20) }
}
