internal import RecordFormat

/// Texts of a document as findings show them: short, and without what would move a terminal's cursor.
enum DocumentText {
    static func quoted(_ text: String) -> String {
        var text = text
        return text.withUTF8 { ValueCheck.quoted(UnsafeRawBufferPointer($0)) }
    }
}
