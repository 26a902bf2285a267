package import SystemPackage
package import TraceFiles
internal import TraceText

/// Waveforms of recordings: `waveforms/` in the state directory, a file for each level of detail. It may be deleted at any time.
///
/// A waveform is that of one state of one file: a file that changed in any way is listened to again.
///
/// Source: docs/http.md#waveforms.
package struct Waveforms: MediaProduct {
    private let files: DerivedFiles

    /// - Parameters:
    ///   - byteLimit: How many bytes they have together at most; those that were used longest ago go.
    ///   - headroom: How many of these bytes are kept free for the next one: those of twelve hours are less.
    package init(state: FilePath, byteLimit: Int64 = 1 << 30, headroom: Int64 = 8 << 20) {
        files = DerivedFiles(
            state.appending("waveforms"), fileExtension: "dat", byteLimit: byteLimit, headroom: headroom)
    }

    private static func kind(_ level: Int) -> String { "-\(level)" }

    /// The file with one level of the waveform of a file in this state; nil if it was not made.
    ///
    /// - Parameter level: One of ``Waveform/levels``.
    package func file(
        _ level: Int, of identity: FileIdentity
    ) -> (directory: OpenDirectory, name: FilePath.Component)? {
        files.file(identity, Self.kind(level))
    }

    package func exists(for identity: FileIdentity) -> Bool {
        Waveform.levels.allSatisfy { file($0, of: identity) != nil }
    }

    /// The waveform as it is drawn, if it was made; nil too if it is damaged.
    package func picture(of identity: FileIdentity) -> Waveform? {
        Waveform.picture { level in
            guard let (directory, name) = file(level, of: identity),
                let contents = try? directory.readFile(name, followsLink: false)?.contents
            else { return nil }
            return Waveform(file: contents)
        }
    }

    package func make(
        of source: FilePath, in identity: FileIdentity, shouldStop: @escaping () -> Bool
    ) throws {
        let levels = try FFmpeg(for: "the waveform", opening: .recognised, shouldStop: shouldStop).waveform(
            of: source)
        try identity.require(at: source)
        try keep(levels, of: identity)
    }

    /// Makes the waveform of a recording as it is drawn, for its owner. That it can't be kept harms nobody.
    ///
    /// - Throws: ``FileError``, as ``make(of:in:shouldStop:)``, but for what is about its files.
    package func makePicture(
        of source: FilePath, in identity: FileIdentity, shouldStop: @escaping () -> Bool
    ) throws -> Waveform? {
        let levels = try FFmpeg(for: "the waveform", opening: .any, shouldStop: shouldStop).waveform(
            of: source)
        try? keep(levels, of: identity)
        return Waveform.picture { levels[$0] }
    }

    /// - Throws: ``FileError``.
    /// - Note: Killed in between, some levels are there and some are not; each is whole.
    func keep(_ levels: [Int: Waveform], of identity: FileIdentity) throws {
        let directory = try files.directoryWithRoom()
        for (level, waveform) in levels {
            let name = try files.name(identity, Self.kind(level))
            try explaining("replace", directory.path(of: name)) { () throws(Errno) in
                try directory.unlink(name)
            }
            do { try directory.replaceFile(name, with: waveform.file, expecting: nil) } catch let error
                as FileError where error.code == .changedMeanwhile
            {
                // Another process has just made the same.
            }
        }
    }
}
