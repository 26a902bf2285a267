internal import SystemPackage

extension StoreError.Code {
    /// A program that is needed is not installed.
    package static let toolMissing = StoreError.Code(rawValue: "tool-missing")
    /// A program that was run for this did not end well.
    package static let toolFailed = StoreError.Code(rawValue: "tool-failed")
    /// The user asked to stop.
    package static let stopped = StoreError.Code(rawValue: "stopped")
}

extension StoreError {
    /// That the user asked to stop.
    package static let stopped = StoreError(.stopped, "stopped before it was done")
}

extension ChildProgram.End {
    /// What there is to say of a program that did not end well; nil where it did.
    func failure(of name: String, errors: [UInt8], hint: String? = nil) -> StoreError? {
        let said = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).last.map {
            String($0.prefix(500))
        }
        switch self {
        case .exited(0): return nil
        case .exited(let status):
            return StoreError(
                .toolFailed, "\(name) failed: \(said ?? "exit status \(status)")", hint: hint)
        case .signalled(let signal):
            return StoreError(.toolFailed, "\(name) was killed by signal \(signal)", hint: hint)
        case .timedOut:
            return StoreError(.toolFailed, "\(name) took too long and was stopped", hint: hint)
        case .tooMuchOutput:
            return StoreError(.toolFailed, "\(name) printed too much", hint: hint)
        case .stopped: return StoreError.stopped
        }
    }
}
