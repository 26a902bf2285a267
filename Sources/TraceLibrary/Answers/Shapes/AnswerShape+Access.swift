internal import RecordFormat

/// Tokens.
extension AnswerShape {
    /// A token of `trace token list`.
    static let token = AnswerShape(
        "Token", "A token, without its secret",
        [
            .always("id", .id, "the token's id"),
            .always(["name", "person"], .string, "what it is called, and whose it is"),
            .always("scope", .string, "read, mark, admin, feed or waterline"),
            .sometimes("sessions", .array(.id), "the sessions that it shows, unless it shows everything"),
            .sometimes("journals", .array(.id), "the journals that it shows"),
            .sometimes(
                "roots", .array(.string),
                "the directories of which it shows all sessions; over HTTP, only for a token that may know places of the server"
            ),
            .always("link", .boolean, "whether it is a link for a guest"),
            .always("created_at", .time, "when it was made"),
            .sometimes("expires_at", .time, "when it ends, or ended, by itself"),
            .always("expired", .boolean, "whether it has"),
            .sometimes("last_used_at", .time, "when it was used last, to a minute"),
            .sometimes("last_address", .string, "from which address it was used last"),
        ])

    /// What a device gets for a pairing code.
    static let pairedToken = AnswerShape(
        "PairedToken", "A token that was given to a device",
        [
            .sent("token", .string, "the token itself, which is shown only this once"),
            .sent("id", .id, "its id"),
            .sent("name", .string, "what it is called"), .sent("scope", .string, "what it permits"),
        ])
}
