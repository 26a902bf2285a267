internal import RecordFormat

/// The queue, and the actions of a session.
extension AnswerShape {
    /// An entry of `trace queue list`.
    static let waitingEntry = AnswerShape(
        "WaitingEntry", "An entry that waits in a spool",
        [
            .entryID, .place("spool", "the spool's directory"), .entryKind, .sessionID, .journalID,
            .entryOrigin,
            .sometimes(
                "reason", .string, "why it waits, if its audio has not arrived; for people, may change"),
            .sometimes("problem", .string, "why it can't be read; then nothing else of it is known"),
        ])

    /// A place of an entry, of `trace queue show`.
    static let queueItem = AnswerShape(
        "QueueItem", "A place that holds an entry of the queue",
        [
            .entryID,
            .always(
                "state", .string,
                "waiting, conflict, changed-meanwhile, rejected, applied, record-vanished, removed or dropped"
            ),
            .reason, .conflicts, .always("place", .string, "spool, failed, dropped or done"),
            .place("file", "its file"), .sometimes("audio", .string, "where its audio is"),
            .entryKind, .sessionIfKnown, .journalIfKnown, .entryOrigin,
            .sometimes(
                "payload", .any, "the record as it is to be in the session, or what is to be changed"),
        ])

    /// A member that an entry did not change.
    static let memberConflict = AnswerShape(
        "MemberConflict", "A member that is neither as the sender of a change saw it nor as they want it",
        [
            .always(
                "member", .string,
                "its name; 'at' stands for the moment of a pause, a resume or an end, 'now' being that of a later record"
            ),
            .always("was", .any, "what the sender saw; null for nothing"),
            .always("now", .any, "what is there; null for nothing, or if the record is gone"),
            .always("set", .any, "what the sender wants"),
        ])

    /// An outcome of `trace queue flush` and of `trace queue retry`.
    static let drainOutcome = AnswerShape(
        "DrainOutcome", "The outcome of an entry of the queue",
        [
            .entryID,
            .always(
                "result", .string,
                "applied, already-applied, record-vanished, removed, dropped, waiting, conflict, changed-meanwhile, rejected or failed"
            ),
            .reason, .conflicts, .entryKind, .sessionIfKnown, .journalIfKnown,
            .place("spool", "the directory from which it was taken"),
        ])

    /// `trace queue drop`.
    static let droppedEntry = AnswerShape(
        "DroppedEntry", "An entry that was dropped from the queue",
        [.entryID, .place("file", "where it is kept")])

    /// An outcome of `trace queue import`.
    static let queueImportOutcome = AnswerShape(
        "QueueImportOutcome", "The outcome of one record of an export of the phone app",
        [
            .always("id", .id, "its id, derived from its content if it came without one"),
            .always(
                "result", .string,
                "queued, already-queued, already-applied, set-aside, conflict or audio-missing"),
            .reason, .always("kind", .string, "marker or voice_note"),
            .always("offset_ms", .integer, "where it is in the session"),
            .always("file", .string, "the file that it was read from"),
            .always(["line", "byte_offset"], .integer, "where in it"),
        ])

    /// What `PUT` of a record answers, and a line of what `POST` of many does.
    static let delivery = AnswerShape(
        "Delivery", "The outcome of sending a record",
        [
            .sentSometimes("id", .id, "the record's id; of a line of a batch, unless it could not be read"),
            .sent("result", .string, "the outcome, as for an entry of the queue"),
            .sentSometimes("reason", .string, "why; for people, may change"),
            .sentSometimes(
                "conflicts", .array(.object(.memberConflict)),
                "of a line of a batch that changes a session: what was changed meanwhile"),
            .sentSometimes(
                "code", .string, "of a line of a batch that was refused: the code of the problem; stable"),
            .sentSometimes(
                "record", .record(.marker, .voiceNote, .action),
                "the line as it is in the file now, if it is there"),
            .sentSometimes("warnings", .array(.string), "likely mistakes; for people, may change"),
        ])

    /// A run of `trace action list`.
    static let actionRun = AnswerShape(
        "ActionRun", "A run of an action, or a request for one", [.run])

    /// `GET` of one run.
    static let wholeActionRun = AnswerShape(
        "WholeActionRun", "A run of an action with its inputs and outputs",
        [.run, .sentSometimes(["inputs", "outputs"], .any, "objects, as in its last line")])

    /// `trace action decline`.
    static let declinedRequest = AnswerShape(
        "DeclinedRequest", "A request for an action that was declined",
        [
            .always("id", .id, "the request's id"), .sometimes("action", .string, "the action's name"),
            .always("status", .string, "failed"),
            .always("error", .string, "by whom it was declined, and why; for people, may change"),
            .session,
        ])

    /// `GET` of the actions that there are.
    static let actionPrograms = AnswerShape(
        "ActionPrograms", "The actions that the server has programs for",
        [
            .sent("programs", .array(.string), "the names of the actions"),
            .sent("run_actions", .boolean, "whether they may be run over HTTP"),
        ])
}

extension [AnswerShape.Member] {
    fileprivate static var entryID: Self { .always("id", .id, "the entry's id") }
    fileprivate static var entryKind: Self {
        .sometimes("kind", .string, "marker, voice_note, action_request or a change, such as marker.edit")
    }
    fileprivate static var entryOrigin: Self {
        .rows(
            .sometimes("created_at", .time, "when it was made"),
            .sometimes("device", .string, "who made it"))
    }
    fileprivate static var conflicts: Self {
        .sometimes(
            "conflicts", .array(.object(.memberConflict)),
            "of an entry that changes a session: what was changed meanwhile")
    }
    fileprivate static var reason: Self { .sometimes("reason", .string, "why; for people, may change") }

    fileprivate static var run: Self {
        .rows(
            .always("id", .id, "the run's id"),
            .always("action", .string, "the action's name"),
            .always("state", .string, "requested, running, succeeded or failed"),
            .sometimes("created_at", .time, "when it was asked for"),
            .sometimes("error", .string, "why it failed; for people, may change"))
    }
}
