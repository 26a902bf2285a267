internal import Glibc

/// Progress of long work, on a terminal as a bar that is redrawn in place, after one second; where standard error is not a
/// terminal, a line every ten seconds.
final class ProgressReport {
    private let label: String
    private let isWanted: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    private var last: ContinuousClock.Instant
    private var isDrawn = false

    /// - Parameter label: What is done, e.g. `extracting the sound`.
    init(_ label: String, isWanted: Bool) {
        self.label = label
        self.isWanted = isWanted
        last = start
    }

    deinit { finish() }

    /// - Parameter fraction: How much is done, from 0 to 1; nil if that is not known.
    func update(_ fraction: Double?) {
        guard isWanted else { return }
        let now = ContinuousClock.now
        guard isTerminal else {
            guard now - last >= .seconds(10) else { return }
            last = now
            return Output.error("\(label): \(fraction.map(Self.percent) ?? elapsed(now))")
        }
        guard now - start >= .seconds(1), !isDrawn || now - last >= .milliseconds(100) else { return }
        last = now
        isDrawn = true
        Output.redraw("\(label) \(fraction.map(Self.bar) ?? elapsed(now))")
    }

    /// Takes the bar away.
    func finish() {
        if isDrawn { Output.redraw("") }
        isDrawn = false
    }

    private func elapsed(_ now: ContinuousClock.Instant) -> String {
        let seconds = Int((now - start) / .seconds(1))
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }

    private static func percent(_ fraction: Double) -> String { "\(Int(min(max(fraction, 0), 1) * 100)) %" }

    private static func bar(_ fraction: Double) -> String {
        let width = 30
        let full = Int(min(max(fraction, 0), 1) * Double(width))
        return
            "[\(String(repeating: "#", count: full))\(String(repeating: ".", count: width - full))] \(percent(fraction))"
    }
}

extension CommandContext {
    /// A report on long work.
    func progress(_ label: String) -> ProgressReport { ProgressReport(label, isWanted: !isQuiet) }
}
