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
        Output.line(format.row(MarkerExport.columns))
        Output.lines(markers.lazy.map { format.row(MarkerExport.fields(of: $0.value)) })
    }

    /// Those of several sessions; the session comes first on each line.
    func show(_ markers: [MarkersEverywhere.Found]) {
        guard format != .jsonl else {
            for marker in markers { Output.json(MarkersEverywhere.json(marker)) }
            return
        }
        Output.line(format.row(["session_id", "path", "title", "wall_time"] + MarkerExport.columns))
        for marker in markers {
            let session = marker.session
            let names = [
                session.id?.description ?? "", session.path.escaped, session.title ?? "",
                marker.record.wallTime?.description ?? "",
            ]
            Output.line(format.row(names + MarkerExport.fields(of: marker.value)))
        }
    }
}
