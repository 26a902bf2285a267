internal import Glibc
internal import Journals
internal import Synchronization
internal import SystemPackage
internal import TraceAccess
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// Names of sessions, asked of an index of the sample.
struct HandleFuzzing {
    private let text: String
    private static let scene = Result { try HandleScene() }

    init(_ input: [UInt8]) { text = String(decoding: input, as: UTF8.self) }

    func check() throws {
        let scene = try Self.scene.get()
        let handles = SessionHandles(scene.index, within: SessionScope(roots: [scene.root]))
        let found = try handles.sessions(named: text)
        for session in found {
            try require(session.lies(in: [scene.root]), "a session outside of the roots: \(session.path)")
            let handle = try handles.handle(of: session.path, session.id)
            try require(
                try handles.sessions(named: handle).map(\.path) == [session.path],
                "the handle \(handle) names another session")
        }
        for shown in try scene.index.sessions() {
            guard let id = shown.id else { continue }
            let scope = SessionScope(roots: [scene.root], filter: AccessFilter(sessions: [id]))
            let seen = try SessionHandles(scene.index, within: scope).sessions(named: text)
            try require(seen.allSatisfy { $0.id == id }, "\(text) leads a guest to another session")
            try require(
                text == "last" || seen.allSatisfy { session in found.contains { $0.path == session.path } },
                "\(text) leads a guest to what it does not name")
        }
    }
}

/// What goes with the process.
private let filesToRemove = Mutex<[String]>([])

/// An index of the sample's sessions that goes with the process.
private struct HandleScene: Sendable {
    let root: FilePath
    let index: JournalIndex

    init() throws {
        var repository = FilePath(#filePath)
        for _ in 0..<4 { repository.removeLastComponent() }
        root = repository.appending("sessions-sample/sessions")
        var template = Array("/tmp/trace-fuzz-XXXXXX".utf8CString)
        let directory = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { FilePath(platformString: $0) }
        }
        guard let directory else { throw Errno(rawValue: errno) }
        let file = directory.appending("index.sqlite")
        filesToRemove.withLock { files in
            files = ["", "-wal", "-shm", "-journal"].map { file.string + $0 } + [directory.string]
        }
        atexit { filesToRemove.withLock { for path in $0 { remove(path) } } }
        index = try JournalIndex(ownAt: file, formats: Journals.all)
        for name in ["2026-01-28-rehearsal-broken", "2026-02-04-late-set", "2026-02-11-loop-practice"] {
            let change = try index.reconcile(journal: root.appending(name), in: root)
            try require(change.outcome == .added, "the sample has no \(name)")
        }
    }
}
