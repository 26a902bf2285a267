import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore
import TraceText

@testable import TraceDigest

/// A digest as it is written and read, without a command line.
struct DigestGenerationTests {
    private let scratch: ScratchDirectory
    private let session: SampleSession

    init() throws {
        scratch = try ScratchDirectory()
        session = try SampleSession(at: scratch("set"))
    }

    private func generation(_ text: String) throws -> DigestGeneration {
        let digest = try DigestReading(session.path, settleTime: .zero).digest {
            SessionOverview(try Inspection(of: session.path, settleTime: .zero))
        }
        return DigestGeneration(digest) { _ in
            .utc
        } render: { _ in
            text
        }
    }

    private func generate(_ text: String, forces: Bool = false) throws -> (DigestGeneration, Bool) {
        var generation = try generation(text)
        let writer = SessionWriter(try SessionTarget(reading: session.path))
        let isChanged = try generation.run(writer, adopts: false, forces: forces)
        return (generation, isChanged)
    }

    @Test func `a digest is written once, and an edit of it is kept and shown`() throws {
        #expect(try generate("first\n").1)
        #expect(try !generate("first\n").1)
        let file = session("digest.md")
        try file.write(file.text().replacing("first", with: "mine"))
        var generation = try generation("second\n")
        let writer = SessionWriter(try SessionTarget(reading: session.path))
        let error = #expect(throws: BlockError.self) {
            try generation.run(writer, adopts: false, forces: false)
        }
        #expect(error?.code == .blockEdited)
        #expect(try generation.edits(in: OpenDirectory(session.path)) != nil)
        #expect(try generate("second\n", forces: true).1)
    }

    @Test func `what a person wrote is told from what was generated`() throws {
        let directory = try OpenDirectory(session.path)
        #expect(try HandwrittenDigest(in: directory) == nil)
        _ = try generate("first\n")
        #expect(try HandwrittenDigest(in: directory) == nil)
        try session("digest.md").write("# Mine\n")
        #expect(try HandwrittenDigest(in: directory)?.text == Array("# Mine\n".utf8))
    }

    @Test func `several sessions are read into one digest, and those that can't be read are told`() throws {
        var reading = CombinedReading()
        var unreachable: [FilePath] = []
        reading.onUnreachable = { unreachable.append($0) }
        func source(_ path: FilePath, isOnline: Bool = true) -> CombinedReading.Source {
            .init(path, named: path.string, isOnline: isOnline, forgotten: nil)
        }
        let sources = [
            source(session.path), source(scratch("gone")), source(scratch("offline"), isOnline: false),
        ]
        let (digest, failures) = try reading.digest(of: sources, zone: .utc) { path in
            try DigestReading(path, settleTime: .zero).digest {
                SessionOverview(try Inspection(of: path, settleTime: .zero))
            }
        }
        #expect(digest.sessions.total == 1 && failures.count == 1)
        #expect(unreachable == [scratch("offline")])
        func json(_ text: JSONText) -> String { String(decoding: text.bytes, as: UTF8.self) }
        #expect(json(digest.json()).contains(#""session_path":"\#(session.path)""#))
        let named = json(digest.json { $1.member("handle", JSONText("h\($0.path.count)")) })
        #expect(named.contains(#"{"handle":"h"#) && !named.contains("session_path"))
    }
}
