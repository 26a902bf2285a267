internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// What devices exchange of practice journals: the document that the app keeps.
struct PracticeExchange: DocumentExchange {
    init() {}

    package var file: FilePath.Component { OpenedDocument.file }
    package var limit: Int64 { OpenedDocument.limit }

    package func ofSingleFile(_ journal: any OpenedJournal) throws -> [UInt8] {
        guard let journal = journal as? OpenedPractice else { return [] }
        return try journal.document.bytes
    }

    package func forStrictReader(_ journal: any OpenedJournal) throws -> [UInt8] {
        guard let journal = journal as? OpenedPractice else { return [] }
        return try StrictView(of: journal.document).bytes
    }

    package func merge(_ brought: BroughtDocument, into writer: JournalWriter) throws -> DocumentForDevice {
        let exchange = ReplicaExchange(
            brought.contents, from: try DeviceName(brought.device),
            base: brought.base.map { .checksum($0) } ?? .none, written: brought.written,
            isStrict: brought.isStrict, takesAnswer: true)
        switch try PracticeDevices(writer).merge(exchange) {
        case .merged(let method, let answer, _):
            return DocumentForDevice(contents: answer, method: method.rawValue)
        case .refused(let emptied): throw PracticeError(emptied, of: brought.device, at: nil)
        }
    }
}

extension PracticeError {
    /// - Parameter path: The file that a device has left; nil if it came over the network.
    init(_ emptied: EmptiedDocument, of device: String, at path: FilePath?) {
        self.init(
            .replicaEmptied, emptied.message, at: path.map { FileLocation($0) },
            cure: [
                .atMachine("\(verb: "practice accept \(device) --dry-run") lists what goes"),
                .atMachine("without \(option: "dry-run") it is done"),
                .overHTTP("if that is meant, accept it on the server: trace practice accept \(device)"),
            ])
    }
}
