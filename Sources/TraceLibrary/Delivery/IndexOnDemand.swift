internal import Journals
internal import RecordFormat
internal import Synchronization
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// The index as it is on the disk, opened for reading when something is first asked of it: a drain that finds nothing to write
/// never opens it.
final class IndexOnDemand: RecordLookup {
    private let path: @Sendable () -> FilePath
    private let opened = Mutex<Opened>(.notYet)

    private enum Opened {
        case notYet
        case cannot
        case index(JournalIndex)
    }

    init(_ path: @escaping @Sendable () -> FilePath) { self.path = path }

    package func knownLines(
        of ids: Set<ULID>, in files: [RecordKind: OpenRegularFile], at session: FilePath
    ) -> [RecordKind: KnownLines] {
        let index = opened.withLock { opened -> JournalIndex? in
            if case .notYet = opened {
                let index = try? JournalIndex(readingAt: path(), formats: Journals.all)
                opened = index.map(Opened.index) ?? .cannot
            }
            return if case .index(let index) = opened { index } else { nil }
        }
        return index?.knownLines(of: ids, in: files, at: session) ?? [:]
    }
}
