import Foundation
import HTTPTypes
import Journals
import ProgramHarness
import RecordFormat
import TestSupport
import Testing
import TraceStore

@testable import TraceServer

/// Requests that lead to each endpoint of the route table, about the session ``ServedSample/lateSet``: all of them fit, and
/// none changes what another one needs.
enum FilledRoutes {
    /// An entry that ``prepare(_:)`` has made wait.
    static let waitingEntry = number(900)
    private static let newRecord = number(901)
    private static let voiceNote = "01KGN7V9R050HV73NN3GQ46B6M"
    private static let endedRun = "01KGN7CZYY8YHX3AE2YBEZTGCW"
    private static let noToken = number(902)
    private static let newVoiceNote = number(904)
    /// A journal of each kind that is asked by requests of its own, which ``prepare(_:)`` puts beside the sessions.
    static let journals = Journals.all.formats.filter { !$0.surface.questions.isEmpty }.enumerated().map {
        SampleJournal(of: $1, number: 910 + $0)
    }

    /// A journal of `sessions-sample/journals`, or an empty one of a kind that has none there.
    struct SampleJournal: Sendable {
        let format: any JournalFormat
        let id: String
        private let directory: URL?

        init(of format: any JournalFormat, number new: Int) {
            self.format = format
            let samples = SourceFile.root.appending(path: "sessions-sample/journals")
            let names = (try? FileManager.default.contentsOfDirectory(atPath: samples.path)) ?? []
            for name in names.sorted() {
                let header = samples.appending(path: "\(name)/\(format.fileNames[0])")
                guard let text = try? String(contentsOf: header, encoding: .utf8),
                    let found = text.firstMatch(of: /"id": *"(\w{26})"/)
                else { continue }
                (id, directory) = (String(found.1), samples.appending(path: name))
                return
            }
            (id, directory) = (number(new), nil)
        }

        func place(in sessions: URL) throws {
            let place = sessions.appending(path: "journal-\(format.layout.kind)")
            if let directory { return try FileManager.default.copyItem(at: directory, to: place) }
            let id = try #require(ULID(id))
            let header = JournalCreation.Header(
                id: id, title: nil, timeZone: nil, createdAt: Timestamp(milliseconds: 0))
            let text = try #require(format.writing?.text(of: header))
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
            try Data(text).write(to: place.appending(path: "\(format.fileNames[0])"))
        }
    }

    /// Makes what the requests need besides the sample.
    static func prepare(_ sample: ServedSample) throws -> WireAnswer {
        for journal in journals {
            try journal.place(in: sample.copy.directory.appending(path: "sessions"))
        }
        try soon("the journals are found") {
            try journals.allSatisfy { try sample.ask("GET", "/journals/\($0.id)").status == 200 }
        }
        try soon("the waveform is made") {
            try sample.ask("GET", WaveformOverTheWireTests.path).status == 200
        }
        return try sample.ask("PUT", "/queue/\(waitingEntry)", json: entry(waitingEntry, for: number(903)))
    }

    /// An entry of the queue.
    static func entry(_ id: String, for session: String, _ label: String = "queued") -> String {
        entry(id, for: session, marker: ServedSample.marker(label))
    }

    /// An entry of the queue that brings a marker, which is given without its id.
    static func entry(_ id: String, for session: String, marker: String) -> String {
        let payload = #"{"id":"\#(id)",\#(marker.dropFirst())"#
        return
            #"{"id":"\#(id)","kind":"marker","session_id":"\#(session)","created_at":"2026-02-05T10:00:00.000Z","#
            + #""device":"test","payload":\#(payload)}"#
    }

    /// The address of an endpoint, as ``ServedSample/ask(_:_:_:token:json:)`` takes it.
    ///
    /// - Parameter feed: The token of a feed, for the addresses that have one.
    static func path(of endpoint: Endpoint, feed: String = "none") -> String {
        let segments = endpoint.segments.map { segment in
            switch segment {
            case .literal(let name): name
            case .rest: "session.json"
            case .parameter("token"): feed
            case .parameter(let name): value(of: name, in: endpoint)
            }
        }
        return "//" + segments.joined(separator: "/") + (queries[endpoint.id].map { "?\($0)" } ?? "")
    }

    private static func value(of name: String, in endpoint: Endpoint) -> String {
        switch (name, endpoint.id) {
        case ("j", "getJournalDocument"), ("j", "putJournalReplica"):
            journals.first { $0.format.surface.exchange != nil }?.id ?? ""
        case ("j", _) where journal(of: endpoint) != nil: journal(of: endpoint)?.id ?? ""
        case ("s", _), ("j", _), (_, "createSession"): ServedSample.lateSetID
        case ("file", "getPageFile"): "boot.js"
        case ("folder", "getPageFolderFile"): "practice"
        case ("file", "getPageFolderFile"): "kind.js"
        case (_, "getEpisode") where name == "name": "\(ServedSample.lateSetMedia).json"
        case ("m", _): ServedSample.lateSetMedia
        case ("rule", _): "file-missing"
        case (_, "getMarker"), (_, "patchMarker"), (_, "deleteMarker"): ServedSample.lateSetMarker
        case (_, "getVoiceNote"), (_, "patchVoiceNote"), (_, "getVoiceNoteAudio"): voiceNote
        case (_, "putVoiceNote"), (_, "putVoiceNoteAudio"), (_, "resumeVoiceNoteAudio"),
            (_, "deleteVoiceNoteAudio"):
            newVoiceNote
        case (_, "getAction"), (_, "declineAction"): endedRun
        case (_, "getQueueEntry"), (_, "retryQueueEntry"), (_, "dropQueueEntry"): waitingEntry
        case (_, "revokeToken"): noToken
        default: newRecord
        }
    }

    /// The journal of the kind that a request is about.
    private static func journal(of endpoint: Endpoint) -> SampleJournal? {
        journals.first { endpoint.path.contains("/\($0.format.layout.kind)/") }
    }

    private static let queries = [
        "search": "q=theme", "getMoment": "time=2026-02-04T20:50Z", "getStrip": "cells=10",
        "exportMarkers": "format=csv", "importMarkers": "dry_run=true", "getPracticeGame": "game=GdR92",
        "clearPractice": "dry_run=true",
    ]

    /// What a request has besides its address.
    ///
    /// A change names a version that there is not, so that it gets as far as one can without being made.
    static func request(_ endpoint: Endpoint) -> (fields: [(String, String)], body: String?) {
        var fields: [(String, String)] = []
        if endpoint.method == .patch || endpoint.method == .delete || endpoint.id == "writeDigest" {
            fields.append(("If-Match", "\"none\""))
        }
        if endpoint.id == "resumeVoiceNoteAudio" { fields.append(("Upload-Offset", "4")) }
        guard let rule = endpoint.body else { return (fields, nil) }
        let type = rule.types[0] == "*/*" ? "text/csv" : rule.types[0]
        fields.append(("Content-Type", type))
        return (fields, bodies[endpoint.id] ?? "{}")
    }

    private static let bodies = [
        "putMarker": ServedSample.marker("by PUT"), "postMarker": #"{"offset":"0:10"}"#,
        // None that can be merged: nothing is written.
        "putJournalReplica": "[]",
        "putVoiceNote": ServedSample.voiceNote(), "patchMarker": #"{"label":"x"}"#,
        "patchVoiceNote": #"{"transcript_text":"x"}"#,
        "putQueueEntry": entry(newRecord, for: ServedSample.lateSetID, "by PUT"),
        "postQueueEntries": entry(newRecord, for: ServedSample.lateSetID, "by PUT"),
        "requestAction": #"{"action":"x"}"#, "setPosition": #"{"offset_ms":1}"#, "writeDigest": "# Words\n",
        "importMarkers": "id,offset_ms,time,duration_ms,label,note,tags,voice_note_id,created_at,source\n",
        "importFromPhone": "[]", "putVoiceNoteAudio": "OggS and sound", "resumeVoiceNoteAudio": " and sound",
    ]

    /// Whether an endpoint is about one session, so that a token that does not see it finds nothing.
    static func isAboutSession(_ endpoint: Endpoint) -> Bool {
        endpoint.path.hasPrefix("/sessions/") || isAboutJournal(endpoint) || endpoint.id == "putQueueEntry"
    }

    /// Whether that is as a journal of any kind.
    static func isAboutJournal(_ endpoint: Endpoint) -> Bool { endpoint.path.hasPrefix("/journals/") }
}
