internal import Journals
package import RecordFormat
internal import TraceFiles
internal import TraceStore

/// Findings in the form that editors and code hosts read: a log of one run, whose results come piece by piece.
///
/// They show its messages: what they would obey in them is escaped, in each piece.
///
/// Source: SARIF 2.1.0 (OASIS), sections 3.13, 3.14, 3.27 and 3.28.
package struct FindingsLog: Sendable {
    /// What precedes the array of results.
    package let before: [UInt8]
    /// What follows it.
    package let after: [UInt8]
    private let form: AnswerForm

    /// - Parameter version: That of the program that checks.
    package init(version: String, _ form: AnswerForm) {
        let empty = JSONText.object { object in
            object.member("$schema", JSONText("https://json.schemastore.org/sarif-2.1.0.json"))
            object.member("version", JSONText("2.1.0"))
            object.member("runs", .array([Self.run(version)]))
        }.visible
        // The results come last: `[]`, and the ends of the run, of the runs and of the log.
        before = Array(empty.bytes.dropLast(5))
        after = Array(empty.bytes.suffix(3))
        self.form = form
    }

    /// The elements of the array of results that tell what was found.
    package func results(_ found: SessionFindings) -> [JSONText] {
        let place = place(of: found.subject)
        return found.findings.map { Self.result($0, in: place).visible }
    }

    // MARK: - The run

    private static func run(_ version: String) -> JSONText {
        .object { object in
            object.member("tool", tool(version))
            // Columns are counted in bytes; for text beyond ASCII that is not what SARIF's own units say.
            object.member("columnKind", JSONText("unicodeCodePoints"))
            object.member("results", .array([]))
        }
    }

    private static func tool(_ version: String) -> JSONText {
        .object { object in
            object.member(
                "driver",
                .object { driver in
                    driver.member("name", JSONText("trace"))
                    driver.member("version", JSONText(version))
                    driver.member("rules", .array(Journals.all.rules.map(rule)))
                })
        }
    }

    private static func rule(_ rule: Rule) -> JSONText {
        .object { object in
            object.member("id", JSONText(rule.id))
            object.member("shortDescription", message(rule.summary))
            object.member("help", message(rule.cureText))
            object.member(
                "defaultConfiguration", .object { $0.member("level", JSONText(rule.severity.rawValue)) })
        }
    }

    // MARK: - A result

    /// What the files of a result are below: the directory, or what names the session where that is not shown.
    private func place(of subject: SessionFindings.Subject) -> String {
        switch subject {
        case .file(let name): name
        case .session(let path, let id):
            form.showsPaths ? path.escaped : form.handle?(path, id) ?? id?.description ?? ""
        }
    }

    private static func result(_ finding: Finding, in session: String) -> JSONText {
        .object { object in
            object.member("ruleId", JSONText(finding.rule.id))
            object.member("level", JSONText(finding.severity.rawValue))
            object.member("message", message("\(finding.message); \(finding.rule.cureText)"))
            object.member("locations", .array([location(finding.place, in: session)]))
        }
    }

    private static func message(_ text: String) -> JSONText { .object { $0.member("text", JSONText(text)) } }

    private static func location(_ place: Finding.Place, in session: String) -> JSONText {
        let path = session.isEmpty ? place.file : "\(session)/\(place.file)"
        return .object { object in
            object.member(
                "physicalLocation",
                .object { physical in
                    physical.member(
                        "artifactLocation", .object { $0.member("uri", JSONText(uri(path))) })
                    physical.member("region", place.line > 0 ? region(place) : nil)
                })
        }
    }

    private static func region(_ place: Finding.Place) -> JSONText {
        .object { object in
            object.member("startLine", JSONText(Int64(place.line)))
            object.member("startColumn", place.column > 0 ? JSONText(Int64(place.column)) : nil)
            object.member("byteOffset", JSONText(Int64(place.byteOffset)))
        }
    }

    /// A path as a `file` URI (RFC 8089), or a relative reference where it does not begin with a slash.
    private static func uri(_ path: String) -> String {
        let encoded = path.utf8.map { byte in
            let isPlain = byte.isASCIIDigit || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            if isPlain || "-._~/".utf8.contains(byte) { return String(Unicode.Scalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return (path.hasPrefix("/") ? "file://" : "") + encoded.joined()
    }
}
