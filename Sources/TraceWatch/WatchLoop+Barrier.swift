internal import TraceFiles

extension WatchLoop {
    /// Reports everything that has happened until now, and then the barrier.
    func passBarrier(_ number: UInt64) {
        let isWhole = catchUp()
        emit(.barrier(number, isWhole: isWhole))
        if isWhole, missingRoots.isEmpty { control.stillness.begin(at: number, watchedRoots) }
    }

    private var watchedRoots: [Stillness.Root] {
        rootSet.compactMap { root in
            table.descriptor(ofPath: root).flatMap { table[$0] }.map { (root, $0.identity) }
        }
    }

    /// Reports what the kernel has queued, and what it does not report.
    ///
    /// - Returns: Whether that is all that has happened until now.
    private func catchUp() -> Bool {
        guard case .reading = phase, damage == nil else { return false }
        if mounts.hasChanged() { verify() } else { verifyRoots() }
        lookForMissingRoots()
        guard damage == nil, handleQueued() else { return false }
        noteMissingRoots()
        return true
    }

    private func verifyRoots() {
        for root in rootSet {
            if let entry = table.descriptor(ofPath: root).flatMap({ table[$0] }) { verify(entry) }
        }
    }

    private func lookForMissingRoots() {
        guard !missingRoots.isEmpty else { return }
        let regularRetry = rootRetry
        retryMissingRoots()
        rootRetry = regularRetry
    }
}
