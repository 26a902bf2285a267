package import RecordFormat

extension Session {
    /// How long it is: what is said of it, else as far as anything in it reaches.
    ///
    /// - Parameters:
    ///   - clock: The session's clock, where it is known.
    ///   - offset: The last end of a marker and the last offset of a voice note.
    ///   - now: For an active session; if nil, it is as long as anything in it reaches.
    package func length(
        by clock: SessionClock? = nil, reaching offset: SessionOffset?, now: Timestamp? = nil
    ) -> SessionOffset? {
        if let stated = statedLength(by: clock, now: now) { return stated }
        return ([offset] + media.map(\.end)).compactMap(\.self).max()
    }
    /// How long it is, as far as `session.json` tells; nil if that depends on what is in it.
    package func statedLength(by clock: SessionClock? = nil, now: Timestamp? = nil) -> SessionOffset? {
        let stated: SessionOffset?
        if status != .active, let duration {
            stated = duration
        } else if let clock = clock ?? startTime.map({ SessionClock(start: $0) }),
            let end = status == .active ? now : endTime
        {
            stated = clock.offset(at: end)
        } else {
            stated = nil
        }
        return stated.flatMap { $0 >= .zero ? $0 : nil }
    }
}
extension MediaItem {
    fileprivate var end: SessionOffset? {
        guard let startOffset, let duration else { return nil }
        return startOffset.sum(with: duration)
    }
}
