package import RecordFormat

extension ListedVoiceNote {
    /// An element of the list: the line as it is in the file, the same in every form (docs/cli-json.md, `trace voice-notes list`).
    package func json(_ form: AnswerForm) -> JSONText { JSONText(verbatim: line) }
}
