package import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

extension Drain {
    /// Puts each kept moment into the queue that one session alone covers, and those whose placing was cut short. The others wait for a
    /// person.
    ///
    /// - Parameter report: Called with what can't be read or written; the others are placed anyway.
    /// - Complexity: One system call a state directory where nothing is kept.
    func placeMoments(report: (any StructuredError) -> Void) {
        let access = UnplacedMoments.Access(
            runtimeDirectory: runtimeDirectory, lockTimeout: lockTimeout, failPoint: failPoint)
        for store in directories.unplaced {
            let moments: [UnplacedMoment]
            do { moments = try store.moments() } catch {
                report(error.structured)
                continue
            }
            for moment in moments {
                do {
                    if let session = moment.session {
                        _ = try store.place(
                            moment.id, in: session, at: .zero, queue: directories.local, by: access)
                    } else if moment.typedSession == nil, let covering {
                        let found = covering(moment.wallTime)
                        guard found.count == 1, let session = found.first else { continue }
                        let entry = try store.place(
                            moment.id, in: session.id, at: session.offset, queue: directories.local,
                            by: access)
                        onPlaced?(entry, session)
                    }
                } catch let error as FileError where error.code == .sessionLocked {
                    // Somebody else places or drops one just now.
                    continue
                } catch let error as StoreError where error.code == .noSuchEntry {
                    continue
                } catch {
                    report(error.structured)
                }
            }
        }
    }
}

/// The sessions whose clocks cover a moment, of those that can be found now.
package typealias CoveringSessions = (Timestamp) -> [CoveringSession]
