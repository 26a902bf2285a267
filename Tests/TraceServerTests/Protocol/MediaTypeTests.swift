import Foundation
import Testing
import TraceMedia

@testable import TraceServer

/// As what a file is sent, and under which name.
struct MediaTypeTests {
    @Test func `audio is kept under the extension of its container, however a recorder names the type`() {
        for (type, ending) in [
            ("audio/mp4", "m4a"), ("AUDIO/MP4", "m4a"), ("audio/x-m4a", "m4a"),
            ("audio/webm;codecs=opus", "webm"), ("audio/ogg; codecs=opus", "ogg"), ("audio/x-wav", "wav"),
            ("audio/flac", "flac"), ("audio/mpeg", "mp3"), ("audio/3gpp", "3gp"),
            ("Audio/3GPP; bitrate=12200", "3gp"), ("video/quicktime", "mov"), ("audio/opus", "ogg"),
            ("AUDIO/OGG;\tCODECS=OPUS", "ogg"), ("audio/ogg ;codecs=opus", "ogg"), ("video/mp4", "m4a"),
            ("application/octet-stream", "m4a"),
        ] {
            #expect(MediaType.fileExtension(ofAudio: type) == ending, "\(type)")
        }
        let types = MediaType.voiceNotes.flatMap(\.types)
        #expect(Set(types).count == types.count)
        #expect(Set(MediaType.voiceNotes.map(\.container)) == Set(AudioContainer.allCases))
        for container in AudioContainer.allCases {
            let name = Array("x.\(container.fileExtension)".utf8)
            #expect(MediaType.ofRecording(named: name).isInline, "\(container): a voice note is to be heard")
        }
        for type in [
            "", ";", "audio/amr", "text/html", "audio/", "audio/mp4/../x", "image/svg+xml",
            "application/json",
        ] {
            #expect(MediaType.fileExtension(ofAudio: type) == nil, "\(type)")
        }
    }

    @Test func `the documentation lists the types of each container`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/http.md")
        let lines = try String(contentsOf: file.standardized, encoding: .utf8).split(separator: "\n")
        for (container, types) in MediaType.voiceNotes {
            let row = try #require(lines.first { $0.contains("| `.\(container.fileExtension)` | ") })
            let listed = row.matches(of: #/`([a-z]+/[^`]+)`/#).map { String($0.1) }
            #expect(Set(listed) == Set(types), "\(container)")
        }
    }

    @Test(arguments: [
        ("a.m4a", "audio/mp4"), ("a.M4A", "audio/mp4"), ("a.mp4", "video/mp4"), ("a.mp3", "audio/mpeg"),
        ("a.aac", "audio/aac"), ("a.wav", "audio/wav"), ("a.flac", "audio/flac"), ("a.ogg", "audio/ogg"),
        ("a.opus", "audio/ogg"), ("a.webm", "video/webm"), ("a.mkv", "video/x-matroska"),
        ("a.mov", "video/quicktime"), ("a.3gp", "video/3gpp"),
        ("a.aiff", "audio/aiff"), ("a.html.m4a", "audio/mp4"), ("é.m4a", "audio/mp4"),
    ])
    func `sound and film are played`(name: String, type: String) {
        #expect(MediaType.ofRecording(named: Array(name.utf8)) == MediaType(name: type, isInline: true))
    }

    @Test(arguments: [
        "x.m4a.html", "x.html", "x.svg", "x.js", "x.zip", "x", "", ".m4a", "x.", "x.m4a ", "x.m4a\n",
        "x.json", "x.md",
        "x.m4a\u{0}", "x.m4a;text/html", "m4a", "x.xml", "x.pdf", "x.K",
    ])
    func `anything else among the recordings is bytes to be saved`(name: String) {
        #expect(MediaType.ofRecording(named: Array(name.utf8)) == .unknown)
        #expect(MediaType.unknown.name == "application/octet-stream" && !MediaType.unknown.isInline)
    }

    @Test(arguments: [
        ("session.json", "application/json"), ("markers.jsonl", "application/jsonl"),
        ("digest.md", "text/markdown; charset=utf-8"), ("x.m4a", "application/octet-stream"),
        ("index.html", "application/octet-stream"),
    ])
    func `the format's own files are text`(name: String, type: String) {
        #expect(MediaType.ofSessionFile(named: Array(name.utf8)).name == type)
    }

    @Test(arguments: [
        ("take 1.m4a", "attachment; filename=\"take 1.m4a\""),
        ("a\"b.m4a", "attachment; filename=\"a_b.m4a\"; filename*=UTF-8''a%22b.m4a"),
        ("a\\b", "attachment; filename=\"a_b\"; filename*=UTF-8''a%5Cb"),
        ("a%41", "attachment; filename=\"a_41\"; filename*=UTF-8''a%2541"),
        (
            "a\r\nSet-Cookie: x",
            "attachment; filename=\"a__Set-Cookie: x\"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20x"
        ),
        ("é.m4a", "attachment; filename=\"_.m4a\"; filename*=UTF-8''%C3%A9.m4a"),
        (";rm -rf", "attachment; filename=\";rm -rf\""),
        ("", "attachment; filename=\"download\"; filename*=UTF-8''"),
        ("../a/b", "attachment; filename=\".._a_b\""),
    ])
    func `a name is one line of ASCII and comes out as it is`(name: String, value: String) {
        #expect(ContentDisposition(.attachment, fileName: Array(name.utf8)).value == value)
    }

    @Test func `bytes that are not UTF-8 are shown as such`() {
        #expect(
            ContentDisposition(.inline, fileName: [0x61, 0xFF, 0x2E, 0x6D]).value
                == "inline; filename=\"a_.m\"; filename*=UTF-8''a%EF%BF%BD.m")
    }

    @Test func `every byte is safe in a field`() {
        for byte in UInt8.min...UInt8.max {
            let value = ContentDisposition(.attachment, fileName: [0x61, byte, 0x62]).value
            #expect(value.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            #expect(value.split(separator: "\"", omittingEmptySubsequences: false).count == 3)
        }
    }

    @Test func `a name of 255 bytes is whole, a longer one keeps its beginning and its extension`() {
        let longest = String(repeating: "a", count: 251) + ".m4a"
        #expect(
            ContentDisposition(.attachment, fileName: Array(longest.utf8)).value.contains("\"\(longest)\""))
        let longer = ContentDisposition(.attachment, fileName: Array(("b" + longest).utf8)).value
        #expect(longer.contains("\"b" + String(repeating: "a", count: 250) + ".m4a\""))
        let title = ContentDisposition(
            .attachment, fileName: Array(String(repeating: "é", count: 1 << 19).utf8)
        ).value
        #expect(title.utf8.count < 2000 && title.hasSuffix("%C3%A9"))
    }
}
