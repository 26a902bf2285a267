internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// The records as they are in `markers.jsonl`, byte for byte but for an offset that counts from somewhere else.
struct MarkerLines: MarkerFormat {
    func write(_ item: ExportItem, to text: inout [UInt8]) {
        text += Self.line(item)
        text.append(UInt8(ascii: "\n"))
    }

    private static func line(_ item: ExportItem) -> [UInt8] {
        guard !item.line.isEmpty else { return item.marker.json.bytes }
        guard item.isMoved else { return item.line }
        // The line has been parsed, but a parsed value does not know at which bytes it is written.
        var editor = try? JSONObjectEditor(item.line)
        try? editor?.set("offset_ms", to: JSONText(item.marker.offset))
        return editor?.bytes ?? item.marker.json.bytes
    }

    /// All of it, as it is in its own member.
    func title(of marker: Marker) -> String { marker.label ?? "" }

    func read(_ source: ImportSource, into read: inout MarkerSink) {
        do throws(ExchangeProblem) {
            _ = try source.decoded()
            let reader = try Reader(source.withNewlines)
            reader.read(into: &read)
        } catch { read.problems.append(error) }
    }

    /// Reads the lines by the rules of the format; what one lacks that a program can know is made up later.
    private struct Reader {
        private let source: ImportSource
        private let checker: RecordChecker

        init(_ source: ImportSource) throws(ExchangeProblem) {
            self.source = source
            do throws(FormatError) {
                checker = try RecordChecker(schema: .importedMarker, file: source.file)
            } catch {
                throw ExchangeProblem(source.place(of: 0), error.message)
            }
        }

        func read(into read: inout MarkerSink) {
            let buffer = LineBuffer()
            var rest = source.text[...]
            while !rest.isEmpty {
                let space = buffer.space()
                let piece = rest.prefix(space.count)
                space.copyBytes(from: piece)
                buffer.filled(piece.count)
                rest = rest.dropFirst(piece.count)
                while let line = buffer.next() { self.read(line, into: &read) }
            }
            if let line = buffer.last() { self.read(line, into: &read) }
        }

        private func read(_ line: Line, into read: inout MarkerSink) {
            if line.isBlank { return }
            var findings: [Finding] = []
            let record = checker.check(line) { finding in
                if finding.severity == .error, !finding.isTolerated { findings.append(finding) }
            }
            let place = Finding.Place(file: source.file, line: line.number, byteOffset: line.offset)
            // A line that is not an object looks like the end of a file that was cut off.
            let isRecord = !findings.contains { !$0.isAboutOneMarker }
            let hasOffset = record.map { ImportedMarker(record: $0.root, at: place) != nil } ?? false
            for finding in findings where finding.rule != .keyUnknown {
                let problem = ExchangeProblem(
                    finding.place, "\(finding.message) [\(finding.rule.id)]", cure: finding.rule.cure)
                guard isRecord else {
                    read.problems.append(problem)
                    continue
                }
                // Without a place it is not a marker, and one reason is enough for that.
                guard hasOffset else {
                    return read.leaveOut(.marker, problem)
                }
                read.leaveOut(.value, problem)
            }
            guard isRecord, let record, var marker = ImportedMarker(record: record.root, at: place) else {
                return
            }
            if findings.isEmpty {
                let skipped = line.number == 1 && line.content.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
                marker.line = Array(line.content.dropFirst(skipped))
            } else {
                for (key, _) in record.root.members where !Self.names.contains(where: { key.equals($0) }) {
                    read.notTaken(.member, String(decoding: key, as: UTF8.self))
                }
            }
            read.add(marker)
        }

        /// The members of a marker.
        private static let names: [StaticString] = [
            "id", "offset_ms", "created_at", "source", "label", "note", "tags", "duration_ms",
            "voice_note_id",
        ]
    }
}

extension ImportSource {
    /// The text with a newline for each carriage return that ends a line alone: JSON has none within its texts.
    fileprivate var withNewlines: ImportSource {
        guard text.contains(0x0D) else { return self }
        var text = text
        for place in text.indices where text[place] == 0x0D && text.endsLine(at: place) { text[place] = 0x0A }
        return ImportSource(text, file: file)
    }
}

extension Finding {
    /// Whether what is wrong keeps nobody from reading the marker.
    fileprivate var isTolerated: Bool {
        switch rule {
        case .newlineMissing, .byteOrderMark: true
        default: false
        }
    }

    /// Whether what is wrong is in one marker, and not in the lines.
    fileprivate var isAboutOneMarker: Bool {
        switch rule {
        case .jsonSyntax, .jsonTooDeep, .notAnObject, .nulBytes, .lineTorn, .lineTooLong: false
        default: true
        }
    }
}
