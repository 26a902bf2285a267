import FileHarness
import Glibc
import Journals
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceIndex
import TraceStore
import TraceText

@testable import TraceLibrary

/// What is wrong in one journal is told beside what all others answer.
struct OneBadJournalTests {
    private let scene: QuestionScene
    private let good: SampleSession
    private let moment = Timestamp(milliseconds: 1_770_235_201_000)

    init() throws {
        scene = try QuestionScene()
        good = try scene.add("good", markers: [500], more: #","label":"riff""#)
    }

    private enum Asked: CaseIterable { case search, timeline, moment, markers }

    /// The sessions and other journals of which an answer shows something.
    private func journals(
        _ asked: Asked, _ index: JournalIndex, in scope: RecordFilter.Scope
    ) throws -> Set<FilePath> {
        switch asked {
        case .search:
            return Set(
                try SearchQuestion("riff", limit: 99).answer(index, in: scope).hits.map(\.session.path))
        case .timeline:
            var question = TimelineQuestion()
            question.hasEverything = true
            return Set(try question.answer(index, in: scope).rows.map(\.journal.path))
        case .moment:
            let answer = try MomentQuestion(at: moment, within: SessionOffset(milliseconds: 9000))
                .answer(index, in: scope, now: moment)
            return Set(answer.sessions.map(\.session.path) + answer.others.map(\.journal.path))
        case .markers:
            return Set(try AllMarkersQuestion().answer(index, in: scope).rows.map(\.session.path))
        }
    }

    @Test(arguments: [Asked.search, .timeline, .moment])
    private func `a document of Android's shape answers, and so do all others`(asked: Asked) throws {
        let file = scene.root.appending("practice-state.json")
        try file.write(
            #"""
            {"playerName":"Ada Quill","scores":[],"notes":[{"id":"n","gameSlug":"G1","timestampMs":1770235201000,"note":"riff"}],
            "journal":[{"id":"a","gameSlug":"G1","action":"note","summary":"?","timestampMs":1770235201000}]}
            """#)
        let fresh = FreshIndex(scene.library, session: nil)
        #expect(try fresh.answer { try journals(asked, $0, in: fresh.scope) } == [good.path, file])
        #expect(fresh.isWhole)
    }

    @Test(arguments: Asked.allCases)
    private func `a session that keeps changing lacks in the answer, and is named`(asked: Asked) throws {
        let bad = try scene.add("bad", minute: 0, markers: [500], from: 200, more: #","label":"riff""#)
        var count = 0
        let fresh = FreshIndex(scene.library, session: nil)
        let (found, leftOut) = try fresh.answer { index in
            // Behind the look at the files, and before the answer: another line in the place of each.
            count += 1
            let line = QuestionScene.line(200, at: 500 + count, more: #","label":"riff""#)
            try bad("markers.jsonl").write(line + "\n")
            let found = try journals(asked, index, in: fresh.scope)
            return (found, try fresh.leftOutCount(in: index) { _ in true })
        }
        #expect(found == [good.path])
        #expect(fresh.failures.map(\.report.code) == ["index-stale"])
        #expect(fresh.failures.first?.report.place == bad("markers.jsonl").escaped)
        #expect(leftOut == 1)
    }

    @Test func `what can't be read of one session is told, and the rest is answered`() throws {
        let bad = try scene.add("bad", markers: [500], from: 200)
        let fresh = FreshIndex(scene.library, session: nil)
        let found = try fresh.answer { index in
            let journals = try self.journals(.markers, index, in: fresh.scope)
            guard !journals.contains(bad.path) else {
                throw FileError(.permissionDenied, "may not be read", path: bad("markers.jsonl"))
            }
            return journals
        }
        #expect(found == [good.path] && fresh.failures.map(\.report.code) == ["permission-denied"])
    }

    @Test func `a session that can't be looked at when it is read is told, and the rest is answered`() throws
    {
        let bad = try scene.add("bad", markers: [500], from: 200)
        let state = scene.scratch("other")
        // Behind the search of the root, and before its files are read: a link that leads nowhere.
        let library = JournalLibrary(
            roots: SessionRoots([scene.root]), stateDirectory: state,
            database: state.appending("index.sqlite"), temporaryDirectory: scene.scratch.path,
            settleTime: .zero
        ) { [scratch = scene.scratch] notice in
            guard case .reading(left: 2) = notice else { return }
            #expect(rename(bad.path.string, scratch("away").string) == 0)
            #expect(symlink("bad", bad.path.string) == 0)
        }
        let fresh = FreshIndex(library, session: nil)
        let found = try fresh.answer { try journals(.markers, $0, in: fresh.scope) }
        #expect(found == [good.path])
        #expect(fresh.failures.map(\.report.code) == ["leaves-session"])
        #expect(fresh.failures.first?.report.place == bad.path.escaped)
    }

    @Test func `a question about one journal has no answer without it`() throws {
        for fresh in [
            FreshIndex(scene.library, session: good.path),
            FreshIndex(scene.library, session: nil, mayLeaveOut: false),
        ] {
            #expect(throws: UnstableFiles.self) {
                try fresh.answer { _ in throw IndexError(.stale, "changed", path: good("markers.jsonl")) }
            }
            #expect(fresh.failures.isEmpty)
        }
    }
}
