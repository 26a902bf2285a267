package import RecordFormat
internal import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceStore
internal import TraceText

/// An entry that waits in a spool, and what can be read of it.
package struct WaitingEntry {
    /// Where an entry waits.
    package struct Place: Sendable {
        let file: Spool.File
        let spool: Spool
        /// The queue that the spool is part of.
        let queue: QueueDirectories
    }

    let place: Place
    /// Nil if it can't be read.
    package let entry: SpoolEntry?
    /// Why it can't be read.
    private let error: (any Error)?
    /// Why it can't be written, as far as that is known without looking into its session: its audio has not come.
    package let reason: String?

    /// Reads the entry in a file.
    init(reading place: Place) {
        self.place = place
        do {
            let entry = try place.spool.read(place.file)
            self.entry = entry
            error = nil
            reason = place.queue.missingAudio(of: entry, in: place.spool)
        } catch {
            entry = nil
            reason = nil
            self.error = error
        }
    }

    /// The id in the name of its file.
    package var id: ULID { place.file.id }

    /// Why it can't be read.
    package var problem: String? { error.map { ($0 as? FormatError)?.message ?? "\($0)" } }

    /// The entry with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("spool", form.place(place.spool.path))
            object.member("kind", entry.map { JSONText($0.kind.rawValue) })
            if let entry { object.member(entry.kind.journalKey, JSONText(entry.journalID)) }
            object.member("created_at", entry.map { JSONText($0.createdAt) })
            object.member("device", entry?.device.map { JSONText($0) })
            object.member("reason", reason.map { JSONText($0) })
            object.member("problem", form.showsPaths ? problem.map { JSONText($0) } : form.problem(error))
        }
    }
}
