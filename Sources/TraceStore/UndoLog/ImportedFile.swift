internal import RecordFormat
package import SystemPackage
internal import TraceFiles

/// A file whose markers were imported, as the undo log knows it: so that the same file, imported again, can replace what it brought.
package struct ImportedFile: Sendable, Equatable {
    /// Where it was; nil for what came another way than by a file, and for a name that is not UTF-8.
    package let path: String?
    /// The SHA-256 of its contents.
    let sha256: String
    /// The imports that this one replaced.
    var replaced: [ULID] = []
    /// The lines that the file gave markers which had been edited before: what those got is another line.
    var given: [[UInt8]] = []
    /// Where these are kept below the log's directory, if they are too long for the log itself.
    var keptGiven: String?

    package init(_ contents: [UInt8], at path: FilePath?) {
        self.path = path.flatMap { String(validating: $0.bytes, as: UTF8.self) }
        sha256 = UndoableWrite.checksum(of: contents)
    }

    /// The last part of the path.
    package var name: String? { path.flatMap { FilePath($0).lastComponent?.string } }

    var json: JSONText {
        .object { object in
            object.member("path", path.map { JSONText($0) })
            object.member("sha256", JSONText(sha256))
            object.member(
                "given",
                given.isEmpty ? nil : .array(given.map { JSONText(String(decoding: $0, as: UTF8.self)) }))
            object.member("given_kept", keptGiven.map { JSONText($0) })
            object.member("replaced", replaced.isEmpty ? nil : .array(replaced.map { JSONText($0) }))
        }
    }

    init?(_ value: JSONValue) {
        guard let sha256 = value[name: "sha256"]?.string else { return nil }
        self.sha256 = sha256
        path = value[name: "path"]?.string
        given = value[name: "given"]?.elements.compactMap { $0.string.map { Array($0.utf8) } } ?? []
        keptGiven = value[name: "given_kept"]?.string
        replaced =
            value[name: "replaced"]?.elements.compactMap { $0.utf8.flatMap(ULID.init(bytes:)) } ?? []
    }
}
