package import TraceMedia
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
package import TraceText

/// Collects the media that an HTML page links to and draws.
package final class PageMediaReading {
    /// What a person may want to know of a page.
    package enum Notice {
        /// A session is not below the page, so that links to its times do not work.
        case sessionIsElsewhere(FilePath)
        /// There is no picture of the sound; told once where no other has one either.
        case noWaveform(any StructuredError)
    }

    /// The directory in which the page is to lie; nil if that is not known.
    private let directory: FilePath?
    private let waveforms: Waveforms
    private let shouldStop: () -> Bool
    private let tell: (Notice) -> Void
    private let listening: (() throws -> Waveform?) throws -> Waveform?
    /// Whether it was said that there is no picture of the sound: once is enough.
    private var hasToldOfWaveform = false

    /// - Parameters:
    ///   - state: Where pictures of the sound are kept.
    ///   - directory: That of the page; nil if the page goes nowhere. It is taken then to be in the session's directory, or
    ///     with several sessions in their root.
    ///   - shouldStop: Is asked while a recording is read.
    ///   - listening: Called with what reads a recording, which may take long.
    package init(
        state: FilePath, directory: FilePath?, shouldStop: @escaping () -> Bool = { false },
        listening: @escaping (() throws -> Waveform?) throws -> Waveform? = { try $0() },
        tell: @escaping (Notice) -> Void
    ) {
        self.directory = directory
        waveforms = Waveforms(state: state)
        self.shouldStop = shouldStop
        self.listening = listening
        self.tell = tell
    }

    /// The media of a session.
    ///
    /// - Parameter home: The directory that the page is taken to be in, if that is not known.
    /// - Throws: ``FileError``; ``StoreError`` with `.stopped` if it was stopped.
    package func media(of session: FilePath, _ digest: Digest, home: FilePath) throws -> PageMedia {
        let reviewAudio = digest.session.reviewAudio?.path
        let paths = Set([reviewAudio].compactMap(\.self) + digest.voiceNotes.items.map(\.mediaPath))
        let states = try SessionReader(session).contents(mediaPaths: paths).media
        var media = PageMedia()
        if let reviewAudio, states[reviewAudio] == .present {
            media.waveform = try waveform(of: session.appending(reviewAudio))
        }
        if let base = Self.base(of: session, from: directory ?? home) {
            media.base = base
            media.present = paths.filter { states[$0] == .present }
        } else if reviewAudio != nil {
            tell(.sessionIsElsewhere(session))
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
        if let known = waveforms.picture(of: identity) { return known }
        do {
            return try listening {
                try waveforms.makePicture(of: file, in: identity, shouldStop: shouldStop)
            }
        } catch let error as any StructuredError where !error.isStop {
            if !hasToldOfWaveform { tell(.noWaveform(error)) }
            hasToldOfWaveform = (error as? StoreError)?.code == .toolMissing
            return nil
        }
    }
}
