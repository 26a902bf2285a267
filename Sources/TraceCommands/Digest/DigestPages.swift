internal import SystemPackage
internal import TraceConfiguration
internal import TraceDigest
internal import TraceFiles
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore

/// Collects the media that an HTML page links to and draws.
final class DigestPages {
    private let context: CommandContext
    /// The directory in which the page is to lie; nil if that is not known.
    private let directory: FilePath?
    private let cache: WaveformCache
    /// Whether it was said that there is no picture of the sound: once is enough.
    private var hasToldOfWaveform = false

    /// - Parameter output: The file of the page; nil if it goes to standard output. It is taken then to be in the session's
    ///   directory, or with several sessions in their root.
    init(_ context: CommandContext, output: FilePath?) {
        self.context = context
        directory = output?.removingLastComponent()
        cache = WaveformCache(state: context.settings.stateDirectory)
        Interruption.installHandlers()
    }

    func media(of session: FilePath, _ digest: Digest, isOneOfMany: Bool = true) throws -> PageMedia {
        let reviewAudio = digest.session.reviewAudio?.path
        let paths = Set([reviewAudio].compactMap(\.self) + digest.voiceNotes.items.map(\.mediaPath))
        let states = try SessionReader(session).contents(mediaPaths: paths).media
        var media = PageMedia()
        if let reviewAudio, states[reviewAudio] == .present {
            media.waveform = try waveform(of: session.appending(reviewAudio))
        }
        let home = isOneOfMany ? context.roots.root(of: session) ?? session : session
        if let base = Self.base(of: session, from: directory ?? home) {
            media.base = base
            media.present = paths.filter { states[$0] == .present }
        } else if reviewAudio != nil {
            context.notice(
                "\(session.escaped) is not below the page: links to its times do not work\n"
                    + "  hint: write the page into the session's directory or the one above it")
        }
        return media
    }

    /// A session's directory as seen from a page's, as a URL; nil if it is not below it.
    private static func base(of session: FilePath, from page: FilePath) -> String? {
        guard session.lies(in: page) else { return nil }
        let rest = session.bytes.dropFirst(page.bytes.count).drop { $0 == UInt8(ascii: "/") }
        return rest.isEmpty ? "" : PageMedia.encoded(rest) + "/"
    }

    /// Nil if it can't be made, which is reported.
    private func waveform(of file: FilePath) throws -> Waveform? {
        guard let name = file.lastComponent,
            let identity = try? OpenDirectory(file.removingLastComponent()).status(
                of: name, followingLinks: true
            ).identity
        else { return nil }
        if let known = cache.waveform(of: identity) { return known }
        let progress = context.progress("listening to the review audio")
        defer { progress.finish() }
        do {
            let waveform = try FFmpeg(for: "the waveform") { Interruption.isAsked }.waveform(of: file)
            cache.keep(waveform, of: identity)
            return waveform
        } catch let error as FileError where error.code != .stopped {
            if !hasToldOfWaveform { context.notice("the page has no waveform: \(error)") }
            hasToldOfWaveform = error.code == .toolMissing
            return nil
        }
    }
}
