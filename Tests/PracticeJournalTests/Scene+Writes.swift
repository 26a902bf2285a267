import PracticeJournal
import RecordFormat
import Testing
import TraceStore

extension Scene {
    static let operations = PracticeFormat().surface.operations

    static func operation(_ name: String) throws -> TraceStore.Operation {
        try #require(operations.first { $0.name == name }, "\(name)")
    }

    /// The arguments of an entry with this payload.
    static func arguments(
        _ payload: GoldenValue, of operation: TraceStore.Operation,
        _ strictness: Arguments.Strictness = .lenient
    ) throws -> Arguments {
        let read = payload.read { value in
            Result { () throws(ArgumentProblem) in
                try Arguments(value, as: operation.parameters, strictness)
            }
        }
        return try #require(read).get()
    }

    /// The write that an entry with this payload asks for.
    static func write(_ name: String, _ payload: GoldenValue) throws -> any PracticeWrite {
        let operation = try operation(name)
        let made = try operation.write(arguments(payload, of: operation))
        return try #require(made as? PracticeWriting.Operation).write
    }

    static func patch(_ patch: GoldenValue) throws -> RowPatch {
        try RowPatch(#require(patch.read { ArgumentValue($0) }?.members))
    }
}
