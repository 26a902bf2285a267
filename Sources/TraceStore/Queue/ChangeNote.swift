internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat

/// What an entry changes in its session, kept beside the place of applied entries before it is done: a run that follows a kill knows by it
/// what has been done, and `trace undo` what to take back.
///
/// Source: docs/queue.md#changes.
struct ChangeNote {
    /// The ``SpoolEntry/checksum`` of the entry.
    let checksum: String
    /// Whether the steps are all that the entry asks for.
    var isWhole = false
    /// In the order in which they are done.
    var steps: [Step] = []

    struct Step {
        let change: UndoableWrite.Change
        /// Of a line that is appended: how many lines its record has before.
        var place = 0
    }

    init(of entry: SpoolEntry) { checksum = entry.checksum }

    private static func name(of id: ULID) -> FilePath.Component? { FilePath.Component("\(id).changes") }

    /// The note of an entry; nil if there is none.
    ///
    /// - Throws: ``FileError``.
    static func ofEntry(_ id: ULID, in directories: QueueDirectories) throws -> ChangeNote? {
        guard let name = name(of: id), let directory = try OpenDirectory.ifPresent(directories.done),
            let file = try directory.readFile(name, limit: .max)
        else { return nil }
        return (try? JSONParser().withParsed(file.contents, ChangeNote.init)) ?? nil
    }

    /// Keeps it in the place of an older one.
    ///
    /// - Throws: ``FileError``.
    /// - Note: Durable on return.
    func keep(for id: ULID, in directories: QueueDirectories, failPoint: FailPoint?) throws {
        guard let name = Self.name(of: id) else { return }
        try OpenDirectory.make(directories.done)
        let directory = try OpenDirectory(directories.done, failPoint: failPoint)
        let old = try directory.statusIfPresent(of: name, followingLinks: false)?.identity
        try directory.replaceFile(name, with: json.bytes + [newline], expecting: old)
    }
}

// MARK: - As JSON

extension ChangeNote {
    private var json: JSONText {
        .object { object in
            object.member("sha256", checksum)
            object.member("whole", JSONText(isWhole))
            object.member(
                "steps",
                .array(
                    steps.map { step in
                        .object { object in
                            object.member("change", step.change.json)
                            object.member("place", JSONText(Int64(step.place)))
                        }
                    }))
        }
    }

    private init?(_ value: JSONValue) {
        guard let checksum = value[name: "sha256"]?.string, let steps = value[name: "steps"]?.elements else {
            return nil
        }
        self.checksum = checksum
        isWhole = value[name: "whole"]?.boolean ?? false
        for step in steps {
            guard let change = step[name: "change"].flatMap(UndoableWrite.Change.init),
                let place = step[name: "place"]?.integer
            else { return nil }
            self.steps.append(Step(change: change, place: Int(place)))
        }
    }
}
