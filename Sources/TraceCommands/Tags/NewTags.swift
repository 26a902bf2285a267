internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceStore
internal import TraceText

extension CommandContext {
    /// Says which tags no other marker has: one of them may be a slip. The marker is written by then, and waits for nothing.
    ///
    /// - Parameters:
    ///   - marker: The marker that has them.
    ///   - session: Its session, if it is available.
    func noticeNewTags(_ tags: [String], of marker: ULID, in session: FilePath?) {
        let doubtful = tags.filter { Marker.isTag($0) && !Marker.categories.contains($0) }
        guard !doubtful.isEmpty, !isQuiet, let known = knownTags(except: marker, in: session) else { return }
        for tag in doubtful where !known.contains(tag) {
            let meant = likelyName(for: tag, among: known)
            notice("new tag '\(tag)'" + (meant.map { "; did you mean \($0)?" } ?? ""))
        }
    }

    /// The tags of other markers, if they can be found quickly; else nil.
    private func knownTags(except marker: ULID, in session: FilePath?) -> Set<String>? {
        var known = Set(Marker.categories)
        if let index = try? JournalIndex(readingAt: settings.indexDatabase, formats: Journals.all) {
            guard let tags = try? index.knownTags(except: marker, within: .milliseconds(50)) else {
                return nil
            }
            known.formUnion(tags)
            // What was written since the index was brought up to date.
            if let session { known.formUnion(Self.tags(in: session, except: marker)) }
        } else {
            let latest = locator.candidates().sorted {
                ($0.session.startTime?.milliseconds ?? .min) > ($1.session.startTime?.milliseconds ?? .min)
            }
            let sessions =
                latest.prefix(CompletionWords.sessionLimit).map(\.path) + [session].compactMap(\.self)
            for path in Set(sessions) { known.formUnion(Self.tags(in: path, except: marker)) }
        }
        return known
    }

    /// No more of a file of markers is read for this than so many bytes.
    private static let sizeLimit: Int64 = 4 << 20

    private static func tags(in session: FilePath, except marker: ULID) -> Set<String> {
        var tags: Set<String> = []
        guard let reader = try? SessionReader(session),
            let size = try? reader.identity(of: .marker)?.size, size <= sizeLimit
        else { return [] }
        _ = try? reader.read(.marker) {
            if $0.id != marker { tags.formUnion($0.tags) }
        } onFinding: { _ in
        }
        return tags
    }
}
