package import RecordFormat
package import SystemPackage
package import TraceFiles
package import TraceFormat

/// What repair would do to a session or another journal, and what it leaves to a person.
package struct RepairPlan: Sendable {
    /// The journal's directory.
    package let path: FilePath
    /// Nil if the header does not tell.
    package var id: ULID?
    /// What is done and why, in the order of the files.
    package var fixes: [Fix] = []
    /// The files that get other contents, in the order in which they are written.
    package var edits: [Edit] = []
    /// The conflict copies that are moved to the kept files once the edits are durable.
    package var settledCopies: [Copy] = []
    /// What is left for a person.
    package var unresolved: [UnresolvedProblem] = []
    /// Files that may still be in transit, so that nothing is done to them yet.
    package var waiting: [Waiting] = []

    /// A file that gets other contents.
    package struct Edit: Sendable {
        package let name: FilePath.Component
        /// Nil if the file does not exist yet.
        package let old: FileContents?
        let new: [UInt8]

        package init(name: FilePath.Component, old: FileContents?, new: [UInt8]) {
            self.name = name
            self.old = old
            self.new = new
        }

        /// What changes.
        package var diff: LineDiff { LineDiff(from: old?.contents ?? [], to: new) }
    }

    /// A conflict copy of which nothing is needed any more.
    package struct Copy: Sendable {
        package let name: FilePath.Component
        let identity: FileIdentity

        package init(name: FilePath.Component, identity: FileIdentity) {
            self.name = name
            self.identity = identity
        }
    }

    /// A file that is left alone for now.
    package struct Waiting: Sendable, Hashable {
        /// Its (escaped) name.
        package let file: String
        package let reason: String

        package init(file: String, reason: String) {
            self.file = file
            self.reason = reason
        }
    }

    package init(path: FilePath) { self.path = path }

    /// Whether there is nothing that repair can do.
    package var isEmpty: Bool { edits.isEmpty && settledCopies.isEmpty }
}
