import FormatHarness
import RecordFormat
import TestSupport
import Testing
import TraceFormat
import TraceText

@testable import TraceDigest

/// Sessions in every form, compared with kept files.
struct DigestFormsTests {
    enum Subject: String, CaseIterable {
        case full, empty, failing, hostile

        func digest() throws -> Digest {
            switch self {
            case .full: return try DigestSample.full()
            case .empty: return Digest(session: RecordSample.session(title: ""), markers: [])
            case .failing:
                return try Digest(
                    session: RecordSample.session(length: nil), markers: [],
                    actions: (1...12).map {
                        RecordSample.action($0, "step-\($0)", .failed, error: "no room left")
                    }, findings: DigestSample.findings())
            case .hostile: return HostileSession.digest()
            }
        }
    }

    /// Labels that mean something in one form or another.
    enum HostileSession {
        static let labels = [
            "tab\there", "\"quotes\" and 'single' ones", "two\nlines\r\nand a third", "an end --> of it",
            "a|b",
            "=1+1", "<script>alert(1)</script>", "</title></script><!-- -->", "🎸👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿", "שלום עולם",
            "\u{202E}turned",
            "&amp; &#x41;", "\u{0}\u{1B}[31m", String(repeating: "long ", count: 2000),
        ]

        static func digest() -> Digest {
            let markers = labels.enumerated().map { number, label in
                RecordSample.marker(
                    number, at: Int64(number) * 60_000, label, note: number % 2 == 0 ? label : nil,
                    tags: ["highlight", "fix-review", label])
            }
            var session = RecordSample.session(title: labels.joined(separator: " "), length: 900_000)
            session.media = [DigestSample.audio("media/\"><script>alert(1)</script>.m4a")]
            return Digest(
                session: session, markers: markers,
                voiceNotes: labels.enumerated().map { number, label in
                    RecordSample.voiceNote(number, at: Int64(number) * 50_000, label)
                }, actions: [RecordSample.action(1, labels[6], .failed, error: labels[7])])
        }
    }

    @Test(arguments: Subject.allCases) func `Markdown`(subject: Subject) throws {
        try expectGolden(subject.digest().markdown(), "forms/\(subject).md")
    }

    @Test(arguments: Subject.allCases) func `a terminal`(subject: Subject) throws {
        try expectGolden(subject.digest().terminal(columns: 80, styled: false).text, "forms/\(subject).txt")
    }

    @Test(arguments: Subject.allCases) func `JSON`(subject: Subject) throws {
        try expectGolden(
            String(decoding: subject.digest().json().bytes, as: UTF8.self) + "\n", "forms/\(subject).json")
    }

    @Test(arguments: Subject.allCases) func `HTML`(subject: Subject) throws {
        try expectGolden(
            page(subject.digest().html(DigestSample.media(of: subject.digest()))), "forms/\(subject).html")
    }

    /// A page without its style and its script, which are the same in all.
    private func page(_ html: String) throws -> String {
        try #require(html.contains("<style>\(PageAssets.style)</style>"))
        return html.replacing(PageAssets.style, with: "STYLE").replacing(PageAssets.script, with: "SCRIPT")
    }

    @Test(arguments: ["md", "txt", "json", "html"]) func `several sessions in one`(form: String) throws {
        let practice = try DigestSample.practice()
        let text =
            switch form {
            case "md": practice.markdown()
            case "txt": practice.terminal(columns: 80, styled: false).text
            case "json": String(decoding: practice.json().bytes, as: UTF8.self) + "\n"
            default: try page(practice.html())
            }
        try expectGolden(text, "forms/practice.\(form)")
    }
}
