import ProgramHarness

/// What happened while a daemon was soaked, and what it needed meanwhile.
struct SoakJournal {
    private var samples: [(when: Double, counts: ProcessCounts)] = []
    private var lastSample = ContinuousClock.now
    private var done: [String: Int] = [:]

    /// How often something has happened.
    func count(_ what: String) -> Int { done[what, default: 0] }

    mutating func note(_ what: String) { done[what, default: 0] += 1 }

    /// Looks at the daemon, once a second at most.
    ///
    /// - Parameter when: What part of the time has gone.
    mutating func sample(_ daemon: DaemonProcess, at when: Double) throws {
        guard lastSample.duration(to: .now) > .seconds(1), daemon.isRunning else { return }
        lastSample = .now
        samples.append((when, try ProcessCounts(of: daemon.id)))
    }

    /// The middle of what was seen in a part of the time; nil if nothing was.
    func figures(_ part: Range<Double>) -> ProcessCounts? {
        let seen = samples.filter { part.contains($0.when) }.map(\.counts)
        guard var middle = seen.first else { return nil }
        middle.memory = seen.map(\.memory).sorted()[seen.count / 2]
        middle.descriptors = seen.map(\.descriptors).sorted()[seen.count / 2]
        middle.watches = seen.map(\.watches).sorted()[seen.count / 2]
        return middle
    }

    var report: String {
        let quarters = [0.0..<0.25, 0.25..<0.5, 0.5..<0.75, 0.75..<1.01].map { part in
            figures(part).map { "\($0)" } ?? "-"
        }
        let most = samples.map(\.counts.memory).max() ?? 0
        let counts = done.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        return "\(counts); medians of the quarters: \(quarters.joined(separator: " | ")); most \(most) KiB"
    }
}
