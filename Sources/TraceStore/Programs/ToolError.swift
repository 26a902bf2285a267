internal import SystemPackage
package import TraceFiles

extension FileError.Code {
    /// A program that is needed is not installed.
    package static let toolMissing = FileError.Code(rawValue: "tool-missing")
    /// A program that was run for this did not end well.
    package static let toolFailed = FileError.Code(rawValue: "tool-failed")
    /// A recording is longer than is accepted.
    package static let mediaTooLong = FileError.Code(rawValue: "media-too-long")
    /// The user asked to stop.
    package static let stopped = FileError.Code(rawValue: "stopped")
}

extension FileError {
    /// That the user asked to stop.
    package static let stopped = FileError(.stopped, "stopped before it finished")
}

extension ChildProgram.End {
    /// What there is to say of a program that did not end well; nil if it did.
    func failure(of name: String, errors: [UInt8], hint: String? = nil) -> FileError? {
        let said = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline).last.map {
            String($0.prefix(500))
        }
        switch self {
        case .exited(0): return nil
        case .exited(let status):
            return FileError(
                .toolFailed, "\(name) failed: \(said ?? "exit status \(status)")", hint: hint)
        case .signalled(let signal):
            return FileError(.toolFailed, "\(name) was killed by signal \(signal)", hint: hint)
        case .timedOut:
            return FileError(.toolFailed, "\(name) took too long and was stopped", hint: hint)
        case .tooMuchOutput:
            return FileError(.toolFailed, "\(name) printed too much", hint: hint)
        case .stopped: return FileError.stopped
        }
    }
}
