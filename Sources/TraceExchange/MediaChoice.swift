internal import RecordFormat
package import TraceFormat
internal import TraceText

extension Session {
    /// The recording that was typed: `review` for the review audio, an id or the beginning of one, or the name of its file.
    ///
    /// - Throws: ``ExchangeError`` with `.mediaNotFound`, or `.mediaAmbiguous`.
    package func mediaItem(_ text: String) throws(ExchangeError) -> MediaItem {
        if text == "review", let item = reviewAudio { return item }
        let found = media.filter { item in
            item.path == text || item.path.split(separator: "/").last.map(String.init) == text
                || (!text.isEmpty && item.id.map { $0.description.hasPrefix(text.uppercased()) } ?? false)
        }
        guard let item = found.first else {
            throw ExchangeError(
                .mediaNotFound, "no recording of the session is named '\(text.oneLine)'",
                cure: media.isEmpty
                    ? [
                        .overHTTP("the session has none"),
                        "the session has none; add one with \(verb: "media add")",
                    ]
                    : "use one of: \(media.map { $0.path.oneLine }.joined(separator: ", "))")
        }
        guard found.count == 1 else {
            throw ExchangeError(
                .mediaAmbiguous, "'\(text.oneLine)' is the beginning of \(found.count) ids",
                cure: "give more of it")
        }
        return item
    }
}

extension ExchangeFormat {
    /// Refuses a frame rate for a format that counts no frames.
    ///
    /// - Throws: ``ExchangeError`` with `.frameRateUnused`.
    func refuse(frameRate: String?, among known: [ExchangeFormat]) throws(ExchangeError) {
        guard frameRate != nil, !known.contains(self) else { return }
        throw unused("fps", .frameRateUnused, known)
    }

    /// Refuses an option that means nothing for a format.
    ///
    /// - Throws: ``ExchangeError`` with `.optionUnused`.
    func refuse(_ option: String, isGiven: Bool, among known: [ExchangeFormat]) throws(ExchangeError) {
        if isGiven, !known.contains(self) { throw unused(option, .optionUnused, known) }
    }

    private func unused(
        _ option: String, _ code: ExchangeErrorCode, _ known: [ExchangeFormat]
    ) -> ExchangeError {
        let names = known.map(\.rawValue).joined(separator: " and ")
        return ExchangeError(
            code, about: option, "has no effect on \(rawValue)", cure: "omit it; it is for \(names)")
    }
}

extension FrameRate {
    /// A frame rate as it was typed; nil for none.
    ///
    /// - Throws: ``ExchangeError`` with `.frameRateMalformed`.
    static func typed(_ text: String?) throws(ExchangeError) -> FrameRate? {
        guard let text else { return nil }
        guard let rate = FrameRate(text) else {
            throw ExchangeError(
                .frameRateMalformed, about: "fps", "'\(text.oneLine)' is not a frame rate",
                cure: "write 24, 25, 29.97 or 30000/1001")
        }
        return rate
    }
}
