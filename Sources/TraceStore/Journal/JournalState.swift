internal import TraceFiles

/// The files of a journal in one state: what was read of them then holds as long as they are in it.
package struct JournalState: Sendable, Hashable {
    package let files: [JournalSnapshot.FileState]

    package init(_ snapshot: JournalSnapshot) { files = snapshot.states }

    /// Whether the files are still in this state.
    package func holds(_ snapshot: JournalSnapshot) -> Bool { files == snapshot.states }

    /// Whether the files have rested for some time, so that a later change gives them another state whatever the clock of the file
    /// system.
    package func hasRested(for time: Duration) -> Bool {
        let now = SystemTime.now()
        return files.allSatisfy { file in
            switch file {
            case .present(let identity), .leadsNowhere(let identity):
                now - max(identity.modified, identity.changed) >= time
            case .absent: true
            case .unknown: false
            }
        }
    }

    /// The bytes of all of them.
    package var size: Int64 { files.reduce(0) { $0 + ($1.identity?.size ?? 0) } }
}
