package import TraceText

/// What is wrong with an argument, and where: `alcoholMeta.sizeOz`, `games[2]`.
///
/// Source: docs/decisions/0047-a-kind-is-declared-once.md.
package struct ArgumentProblem: Error, Sendable, Equatable {
    /// The names from the outermost on; empty for the arguments as a whole.
    package private(set) var path: String
    package let reason: Reason
    /// What to write instead, where the reason does not say it.
    package let cure: Cure?

    package enum Reason: Sendable, Equatable {
        case missing
        /// There is none of that name, but these.
        case unknown(known: [String])
        /// The value is not of the declared type.
        case malformed(ValueType.Words)
        /// The value means something that can't be done; a sentence that people read as it is.
        case refused(String)
    }

    package init(_ path: String, _ reason: Reason, cure: Cure? = nil) {
        self.path = path
        self.reason = reason
        self.cure = cure
    }

    package static func refused(_ message: String, cure: Cure? = nil) -> Self {
        Self("", .refused(message), cure: cure)
    }

    /// The same of a value within one of that name.
    package func within(_ step: String) -> Self {
        var outer = self
        outer.path = path.isEmpty ? step : path.hasPrefix("[") ? step + path : "\(step).\(path)"
        return outer
    }

    /// As who sent an entry reads it.
    package var message: String {
        switch reason {
        case .missing: "\(path) is missing."
        case .unknown(let known): "There is no '\(path)'; there is \(known.joined(separator: ", "))."
        case .malformed(let words):
            path.isEmpty ? "The payload is not \(words.inJSON)." : "\(path) must be \(words.inJSON)."
        case .refused(let message): message
        }
    }
}

extension FormatError {
    /// What is wrong with an entry that has such arguments.
    package init(_ problem: ArgumentProblem) {
        self.init(.recordInvalid, problem.message, cure: problem.cure)
    }
}

extension ValueType {
    /// What a value must be, in the words for each reader.
    package struct Words: Sendable, Equatable {
        /// In a query, and on the command line.
        package let asText: String
        /// In JSON.
        package let inJSON: String
    }

    package var told: Words { Words(asText: words, inJSON: jsonWords) }
}
