internal import GRDB
internal import SystemPackage
internal import TraceFormat
internal import TraceStore

/// How the media paths that a session names turned out when they were last looked at.
struct MediaRows {
    let source: Int64
    let database: Database

    func states() throws -> [String: SessionFacts.MediaState] {
        var states: [String: SessionFacts.MediaState] = [:]
        try database.query("SELECT path, state FROM media_path WHERE source_id = ?").with(source).forEach {
            row in
            guard let path = row.text(0) else { return }
            states[path] = row.text(1).flatMap(SessionFacts.MediaState.init(name:))
        }
        return states
    }

    func replace(with states: [String: SessionFacts.MediaState]) throws {
        try delete()
        let insert = try database.query("INSERT INTO media_path (source_id, path, state) VALUES (?, ?, ?)")
        for (path, state) in states { try insert.with(source, path, state.name).run() }
    }

    func delete() throws {
        try database.query("DELETE FROM media_path WHERE source_id = ?").with(source).run()
    }

    /// Whether a file appears at `path`, or vanishes, only together with a change of the directory `media`.
    static func liesInMedia(_ path: String) -> Bool {
        guard let components = MediaPath.components(of: path) else { return false }
        return components.count == 2 && components.first == "media"
    }
}

extension SessionFacts.MediaState {
    /// What is in `media_path.state`.
    var name: String {
        switch self {
        case .present: "present"
        case .missing: "missing"
        case .misnamed(let name): Self.misnamed + name
        case .outside: "outside"
        }
    }

    private static let misnamed = "missing:"

    init?(name: String) {
        if name.hasPrefix(Self.misnamed) {
            self = .misnamed(as: String(name.dropFirst(Self.misnamed.count)))
            return
        }
        guard let state = [Self.present, .missing, .outside].first(where: { $0.name == name }) else {
            return nil
        }
        self = state
    }
}
