package import RecordFormat

extension Finding {
    /// Whether it only says that a line may still be in transit.
    package var isLineInTransit: Bool { rule == .lineInTransit }

    /// Whether it says that a closed session has no `session_end`.
    package var isSessionEndMissing: Bool { rule == .sessionEndMissing }

    /// Whether a value is not written as the format asks for.
    package var isMisspelling: Bool { rule == .ulidMalformed || rule == .timestampMalformed }

    /// Whether a line follows a later one.
    package var isDisorder: Bool { rule == .timelineOrder || rule == .transcriptOrder }

    /// Whether it only says that its file is a conflict copy.
    package var isConflictCopy: Bool { rule == .conflictCopy }
}
