internal import FileHarness
internal import Glibc
package import RecordFormat
package import SystemPackage
package import Testing
package import TraceFiles
package import TraceFormat
package import TraceStore
internal import TraceText

/// A session directory as an existing writer leaves it, inside a scratch directory.
package struct SampleSession {
    package let path: FilePath

    package static let id = number(1)

    /// Two-space JSON in an order of its own, with a key that the format doesn't know and an odd number.
    package static let header = """
        {
          "id": "\(id)",
          "created_at": "2026-02-04T20:00:00Z",
          "x_mood": 1.50e1,
          "updated_at": "2026-02-04T20:30:00.000Z",
          "status": "active",
          "start_time": "2026-02-04T20:00:00.000Z",
          "timeline_path": "timeline.jsonl",
          "markers_path": "markers.jsonl",
          "voice_notes_path": null,
          "transcript_path": null,
          "digest_path": null,
          "media": [],
          "title": "Late set"
        }

        """

    package static let start = """
        {"id":"\(number(2))","kind":"session_start","offset_ms":0,"wall_time":"2026-02-04T20:00:00.000Z",\
        "created_at":"2026-02-04T20:00:00.000Z","source":"system"}

        """

    package init(at path: FilePath, header: String = Self.header) throws {
        self.path = path
        try OpenDirectory.make(path.appending("media"))
        try path.appending("session.json").write(header)
        try path.appending("timeline.jsonl").write(Self.start)
        try path.appending("markers.jsonl").write("")
    }

    /// A file of the session.
    package func callAsFunction(_ name: FilePath.Component) -> FilePath { path.appending(name) }

    /// What `session.json` says.
    package var session: Session {
        get throws { try SessionReader(path).header().session }
    }
}

/// The id that ends in this number.
package func number(_ number: Int) -> ULID {
    let digits = String(number)
    guard let id = ULID("01J" + String(repeating: "0", count: 23 - digits.count) + digits) else {
        preconditionFailure("\(number) makes no id")
    }
    return id
}

/// 2026-02-05T08:00:00.000Z, a morning after the sample session.
package let morning = Timestamp(milliseconds: 1_770_278_400_000)

/// Every file below a directory with its contents, every directory and link; the directory's own path, where a file
/// holds it, as `ROOT`.
package func tree(of root: FilePath) throws -> [String: String] {
    var tree: [String: String] = [:]
    var failure: (any Error)?
    DirectoryWalker(root: root).walk { entry in
        let name = String(entry.path.escaped.dropFirst(root.escaped.count + 1))
        do {
            switch entry.kind {
            case .regular:
                tree[name] = try entry.path.text().replacing(root.escaped, with: "ROOT")
            case .directory: tree[name] = "(directory)"
            case .symbolicLink: tree[name] = "(link)"
            case .special: tree[name] = "(special)"
            }
        } catch { failure = error }
        return .descend
    } report: { error in
        failure = error
    }
    if let failure { throw failure }
    return tree
}

/// Expects `body` to throw the ``FileError`` of that code and description.
package func expectError(
    _ code: FileErrorCode, _ description: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> some Any
) {
    expect(FileError.self, code, description, sourceLocation, body)
}

/// Expects `body` to throw the ``StoreError`` of that code and description.
package func expectError(
    _ code: StoreErrorCode, _ description: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> some Any
) {
    expect(StoreError.self, code, description, sourceLocation, body)
}

private func expect<Codes: ErrorCode>(
    _ list: CodedError<Codes>.Type, _ code: Codes, _ description: String, _ sourceLocation: SourceLocation,
    _ body: () throws -> some Any
) {
    do {
        _ = try body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch let error as CodedError<Codes> {
        #expect(error.code == code, sourceLocation: sourceLocation)
        #expect(error.description == description, sourceLocation: sourceLocation)
    } catch {
        Issue.record("not of that list: \(error)", sourceLocation: sourceLocation)
    }
}
