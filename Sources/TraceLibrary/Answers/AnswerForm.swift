package import RecordFormat
package import SystemPackage
internal import TraceFiles

/// Who an answer is for: the command line names sessions by their directories, HTTP by handles.
///
/// The members are the same otherwise, and their order too (docs/cli-json.md).
package struct AnswerForm: Sendable {
    /// Whether directories and other places of this machine are named.
    let showsPaths: Bool
    /// The handle of the session in a directory, which has that id; nil where answers have no handles.
    let handle: (@Sendable (FilePath, ULID?) -> String)?

    /// An answer with these.
    package init(showsPaths: Bool, handle: (@Sendable (FilePath, ULID?) -> String)?) {
        self.showsPaths = showsPaths
        self.handle = handle
    }

    /// What `--json` prints.
    package static let commandLine = AnswerForm(showsPaths: true, handle: nil)

    /// The text of a place of this machine; nil if it is not to be named.
    func place(_ path: FilePath?) -> JSONText? {
        showsPaths ? path.map { JSONText($0.escaped) } : nil
    }
}
