import Foundation
import ProgramHarness
import Testing

/// Scripts that were written for the command line before this one.
struct ReferenceScriptTests {
    @Test func `a script of the OBS kind runs unchanged`() throws {
        let scratch = try Scratch()
        let make = try scratch.shell(
            """
            ffmpeg -nostdin -v error -f lavfi -i testsrc=size=64x64:rate=10:duration=3 \
            -f lavfi -i sine=duration=3 -c:v mpeg4 -c:a aac take.mkv && \
            ffmpeg -nostdin -v error -f lavfi -i sine=duration=0.8 -c:a aac memo.m4a
            """)
        try #require(make.status == 0, "\(make)")
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/scripts/obs.sh").standardized.path
        let outcome = try scratch.shell(
            "mkdir bin && ln -s \"$TRACE\" bin/trace && PATH=$PWD/bin:$PATH '\(script)' \"$PWD/sessions/night\" take.mkv memo.m4a"
        )
        let said = outcome.output.replacing(
            #/(duration |duration_ms: )\d+/#, with: { "\($0.output.1)<length>" }
        )
        .replacing(#/Session of .* UTC/#, with: "Session of <today>")
        #expect(said == Self.said)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(!outcome.errors.contains("error: "), "\(outcome)")
    }

    private static let said = """
        created: <scratch>/sessions/night (id <ulid>)
        marker: <ulid>
        marker: <ulid>
        transcript: updated
        marker: <ulid>
        media: <ulid> (media/<ulid>.mkv)
        media: <ulid> (media/<ulid>.m4a)
        transcribed: <scratch>/sessions/night/transcript.jsonl
        <ulid>\t0\tRecording starts
        <ulid>\t1500\tDrop\thighlight,structure
        <ulid>\t2500\tfix-review\t<ulid>
        <ulid>\t2700\t<ulid>
        <ulid>\t1500\tDrop\thighlight,structure
        <ulid>\t2500\tfix-review\t<ulid>
        closed: <scratch>/sessions/night (duration <length>ms)
        digest: updated
        # Session of <today>
        digest: updated
        # Mine
        id: <ulid>
        status: closed
        start_time: <now>
        end_time: <now>
        duration_ms: <length>
        timeline_path: timeline.jsonl
        markers_path: markers.jsonl
        transcript_path: transcript.jsonl
        voice_notes_path: voice_notes.jsonl
        digest_path: digest.md
        media_count: 2
        marker_count: 4
        voice_note_count: 1
        errors: 0
        warnings: 0
        ok: <scratch>/sessions/night
        1
        1

        """
}
