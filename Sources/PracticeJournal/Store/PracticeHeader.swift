internal import RecordFormat
internal import TraceStore

/// What `practice.json` says: the file is ours, beside a document that is the app's.
///
/// Source: docs/practice.md#the-directory.
enum PracticeHeader {
    static let fileName = "practice.json"
    static let schema = RecordSchema.header(.practiceHeader, of: "practice", in: fileName)
}
