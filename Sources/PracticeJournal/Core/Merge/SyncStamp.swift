package import RecordFormat

/// When something was said, and by whom: what decides between two values of one member.
///
/// Source: docs/spec/practice.md#registers-and-tombstones.
package struct SyncStamp: Hashable, Comparable, Sendable {
    /// Of the clock of who said it.
    var milliseconds: Int64
    /// What keeps the order of what is said within a millisecond, and while a clock goes back.
    var counter: Int64
    /// The device; empty for what was there before anybody was noted.
    var device: String

    /// What this product writes has this name, on every machine.
    package static let ownDevice = "trace"
    /// Who writes the document in its place without saying who they are: an app, an editor, a sync tool.
    static let documentDevice = "document"

    package init(milliseconds: Int64, counter: Int64 = 0, device: String) {
        self.milliseconds = milliseconds
        self.counter = counter
        self.device = device
    }

    package static func < (one: SyncStamp, other: SyncStamp) -> Bool {
        (one.milliseconds, one.counter, one.device) < (other.milliseconds, other.counter, other.device)
    }

    /// Of what was there before anybody was noted.
    ///
    /// - Parameter newest: The newest time in it, in milliseconds since 1970; nil if it has none.
    package static func unnoted(newest: Int64?) -> SyncStamp {
        SyncStamp(milliseconds: newest ?? 0, device: "")
    }

    /// The next stamp of a device: later than its last one, whatever a clock says, unless that is the last there can be.
    ///
    /// - Parameters:
    ///   - last: Of the same device.
    ///   - moment: When it was said.
    package static func next(of device: String, after last: SyncStamp?, at moment: Timestamp) -> SyncStamp {
        guard let last, moment.milliseconds <= last.milliseconds else {
            return SyncStamp(milliseconds: moment.milliseconds, device: device)
        }
        return last.following(of: device)
    }

    /// The stamp of a device behind this one: of the same millisecond, or of the next where no counter is left in it.
    ///
    /// Stamps are read from files, where any number may stand: behind the last there can be comes that one again.
    func following(of device: String) -> SyncStamp {
        if counter == .max, milliseconds < .max {
            return SyncStamp(milliseconds: milliseconds + 1, device: device)
        }
        return SyncStamp(milliseconds: milliseconds, counter: counter.addingClamped(1), device: device)
    }

    /// The next of our own stamps.
    static func own(after last: SyncStamp?, at now: Timestamp) -> SyncStamp {
        next(of: ownDevice, after: last, at: now)
    }

    var json: JSONText {
        .array([JSONText(milliseconds), JSONText(counter), JSONText(device)])
    }

    init?(_ value: JSONValue) {
        let parts = Array(value.elements)
        guard parts.count == 3, let milliseconds = parts[0].integer, let counter = parts[1].integer,
            let device = parts[2].string
        else { return nil }
        self.init(milliseconds: milliseconds, counter: counter, device: device)
    }
}
