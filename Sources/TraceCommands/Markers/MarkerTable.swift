internal import SystemPackage
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// Prints markers for other programs.
struct MarkerTable {
    let format: MarkerExport

    /// Those of one session, each with its line.
    func show(_ markers: [OpenSession.Found<Marker>]) {
        guard format != .jsonl else {
            for marker in markers { Output.raw(marker.line + [UInt8(ascii: "\n")]) }
            return
        }
        showRows([MarkerExport.columns], markers.lazy.map { ([], $0.value) })
    }

    /// Those of several sessions; the session comes first on each line.
    func show(_ markers: [MarkersEverywhere.Found]) {
        guard format != .jsonl else {
            for marker in markers { Output.json(MarkersEverywhere.json(marker)) }
            return
        }
        let names = ["session_id", "path", "title", "wall_time"]
        showRows(
            [names + MarkerExport.columns],
            markers.lazy.map { marker in
                let session = marker.session
                return (
                    [
                        session.id?.description ?? "", session.path.escaped, session.title ?? "",
                        marker.record.wallTime?.description ?? "",
                    ], marker.value
                )
            })
    }

    /// Prints rows, many at a time: first fields of their own, then those of markers with what stands before them.
    private func showRows(_ first: [[String]], _ rows: some Sequence<([String], Marker)>) {
        var text: [UInt8] = []
        for fields in first {
            format.append(fields: fields, to: &text)
            text.append(UInt8(ascii: "\n"))
        }
        for (fields, marker) in rows {
            format.append(fields: fields, to: &text)
            if !fields.isEmpty { text.append(format.separator) }
            format.append(marker, to: &text)
            text.append(UInt8(ascii: "\n"))
            guard text.count >= 64 << 10 else { continue }
            Output.raw(text)
            text.removeAll(keepingCapacity: true)
        }
        Output.raw(text)
    }
}
