internal import RecordFormat
internal import TraceText

extension AnswerForm {
    /// What went wrong; its place only if places are to be named.
    func problem(_ error: (any Error)?) -> JSONText? {
        error.map { JSONText(showsPaths ? "\($0)" : $0.anyReport.message) }
    }
}
