internal import Logging

/// What stays wrong for a while is logged when it begins, when its reason changes and when it is over, and meanwhile the less
/// often the longer it lasts: at the first try, the tenth, the hundredth. Every try is logged at the level `debug`.
struct OngoingProblems {
    /// A problem at a path.
    struct Problem {
        /// Which one it is among those of its place, whatever its wording.
        var reason: String
        var message: Logger.Message
        var error: (any Error)?
        var metadata: Logger.Metadata = [:]
        var level = Logger.Level.error
        /// How often it was met now.
        var count = 1
        /// How many entries of the queue it stands for.
        var entryCount = 0
    }

    private struct Reported {
        var level: Logger.Level
        var count = 0
        /// The count at which it is logged again.
        var next = 1
    }

    /// What a line says about a place that is well again.
    private let recovery: Logger.Message
    /// By place and reason.
    private var reported: [String: [String: Reported]] = [:]

    /// Most lines at one time; of more than that, only the number is logged.
    private static let mostLines = 20

    init(recovery: Logger.Message) { self.recovery = recovery }

    /// Logs what is new, given all that is wrong now.
    ///
    /// - Parameter present: The problems of each place.
    mutating func update(_ present: [String: [Problem]], _ log: Logger) {
        if present.isEmpty, reported.isEmpty { return }
        var lines = Lines(log: log)
        for (place, reasons) in reported.sorted(by: { $0.key < $1.key }) where present[place] == nil {
            reported[place] = nil
            let wasLogged = reasons.values.contains { $0.level >= .warning }
            lines.add(wasLogged ? .notice : .debug, recovery, nil, ["path": "\(place)"])
        }
        for (place, problems) in present.sorted(by: { $0.key < $1.key }) {
            let known = reported[place] ?? [:]
            var reasons: [String: Reported] = [:]
            for problem in problems {
                reasons[problem.reason] = Self.report(problem, known[problem.reason], &lines)
            }
            reported[place] = reasons
        }
        lines.end()
    }

    private static func report(_ problem: Problem, _ known: Reported?, _ lines: inout Lines) -> Reported {
        var known = known ?? Reported(level: problem.level)
        let isNews = problem.count >= known.next || problem.level > known.level
        if isNews || problem.count != known.count {
            var metadata = problem.metadata
            if problem.count > 1 { metadata["tries"] = "\(problem.count)" }
            if problem.entryCount > 1 { metadata["entries"] = "\(problem.entryCount)" }
            lines.add(isNews ? problem.level : .debug, problem.message, problem.error, metadata)
        }
        while known.next <= problem.count { known.next *= 10 }
        known.level = problem.level
        known.count = problem.count
        return known
    }

    /// The lines of one update.
    private struct Lines {
        let log: Logger
        private var count = 0
        private var leftOut: [Logger.Level: Int] = [:]

        init(log: Logger) { self.log = log }

        mutating func add(
            _ level: Logger.Level, _ message: Logger.Message, _ error: (any Error)?,
            _ metadata: Logger.Metadata
        ) {
            guard level >= log.logLevel else { return }
            count += 1
            if count <= OngoingProblems.mostLines {
                log.log(level: level, message, error: error, metadata: metadata)
            } else {
                leftOut[level, default: 0] += 1
            }
        }

        func end() {
            for (level, count) in leftOut { log.log(level: level, "and \(count) more such lines") }
        }
    }
}
