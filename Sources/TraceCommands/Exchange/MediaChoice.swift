internal import RecordFormat
internal import SystemPackage
internal import TraceExchange
internal import TraceFormat
internal import TraceStore
internal import TraceText

extension Session {
    /// The recording that was typed: `review` for the review audio, an id or the beginning of one, or the name of its file.
    ///
    /// - Throws: ``CommandFailure`` with `.noSession`, or `.usage` if several are meant.
    func mediaItem(_ text: String) throws -> MediaItem {
        if text == "review", let item = reviewAudio { return item }
        let found = media.filter { item in
            item.path == text || FilePath(item.path).lastComponent?.string == text
                || (!text.isEmpty && item.id.map { $0.description.hasPrefix(text.uppercased()) } ?? false)
        }
        guard let item = found.first else {
            throw CommandFailure(
                .noSession, "no recording of the session is named '\(text.oneLine)'",
                hint: media.isEmpty
                    ? "the session has none; add one with 'trace media add'"
                    : "use one of: \(media.map { $0.path.oneLine }.joined(separator: ", "))")
        }
        guard found.count == 1 else {
            throw CommandFailure(
                .usage, "'\(text.oneLine)' is the beginning of \(found.count) ids", hint: "give more of it")
        }
        return item
    }
}

/// Refuses `--fps` for a format that counts no frames.
///
/// - Throws: ``CommandFailure`` with `.usage`.
func refuseFrameRate(_ fps: String?, for format: ExchangeFormat, among known: [ExchangeFormat])
    throws(CommandFailure)
{
    guard fps != nil, !known.contains(format) else { return }
    let names = known.map(\.rawValue).joined(separator: " and ")
    throw CommandFailure(
        .usage, "--fps has no effect on \(format.rawValue)", hint: "omit it; it is for \(names)")
}

/// Reads what was typed for `--fps`.
///
/// - Throws: ``CommandFailure`` with `.usage`.
func frameRate(_ text: String?) throws -> FrameRate? {
    guard let text else { return nil }
    guard let rate = FrameRate(text) else {
        throw CommandFailure(
            .usage, "--fps '\(text.oneLine)' is not a frame rate", hint: "write 24, 25, 29.97 or 30000/1001")
    }
    return rate
}
