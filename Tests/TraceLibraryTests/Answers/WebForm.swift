import RecordFormat
import SystemPackage

@testable import TraceLibrary

extension AnswerForm {
    /// As HTTP gives answers to those who may not know the places of the machine.
    static let web = AnswerForm(showsPaths: false) { path, id in
        id?.description ?? "~\(path.lastComponent?.string ?? "")"
    }
}

/// A JSON text, to be compared and shown.
func text(_ json: JSONText) -> String { String(decoding: json.bytes, as: UTF8.self) }
