import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Audio that would have ffmpeg open another file: a token for one session hears nothing of another.
struct StrangersRecordingsOverTheWireTests {
    /// Whether this machine has strace, and allows it.
    static let canTrace: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/strace")
        process.arguments = ["-o", "/dev/null", "true"]
        try? process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// - Parameter refusal: What the kernel answers the daemon that asks for Landlock; nil for what this one does.
    @Test(
        .enabled(if: canTrace, "needs strace"), arguments: [nil, "ENOSYS", "EPERM"])
    func `a token for one session hears no other through ffmpeg`(refusal: String?) throws {
        let sample = try ServedSample { _ in
            refusal.map {
                [
                    "/usr/bin/strace", "-D", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null", "-e",
                    "trace=landlock_create_ruleset", "-e", "inject=landlock_create_ruleset:error=\($0)",
                ]
            } ?? []
        }
        let hidden = sample.session(ServedSample.active).appending(path: "media")
        try FileManager.default.createDirectory(at: hidden, withIntermediateDirectories: true)
        let secret = hidden.appending(path: "secret.m4a")
        let made = try Process.run(
            URL(filePath: "/usr/bin/ffmpeg"),
            arguments: [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=4", "-c:a", "aac", secret.path,
            ])
        made.waitUntilExit()
        let token = try sample.newToken("--scope", "mark", "--session", ServedSample.lateSet)
        let manifest = """
            <?xml version="1.0"?>
            <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static" \
            mediaPresentationDuration="PT4S" minBufferTime="PT1S"><Period><AdaptationSet mimeType="audio/mp4" \
            contentType="audio"><Representation id="0" bandwidth="128000" codecs="mp4a.40.2" mimeType="audio/mp4">\
            <BaseURL>\(secret.path)</BaseURL></Representation></AdaptationSet></Period></MPD>
            """
        let sound = Data([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 0]) + Data(manifest.utf8)
        let record = ServedSample.voiceNotePath(number(1))
        let noted = try sample.ask(
            "PUT", record, token: token,
            json: ServedSample.voiceNote(#"{"size":\#(sound.count),"type":"audio/mpeg"}"#))
        #expect(noted.status == 202, "\(noted)")
        let sent = try sample.send("PUT", "\(record)/audio", "audio/mpeg", sound, token: token)
        #expect(sent.isWritten, "\(sent)")
        var answer = try sample.ask("GET", record + "/audio?as=m4a", token: token)
        try soon("that there is no copy is known: \(answer)") {
            answer = try sample.ask("GET", record + "/audio?as=m4a", token: token)
            return answer.status != 202
        }
        #expect(answer.status == 404 && answer.code == "copy-unavailable", "\(answer.status)")
        #expect(sample.daemon.log.contains("landlock") == (refusal != nil))
    }
}
