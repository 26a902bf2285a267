internal import TraceMedia
internal import RecordFormat
internal import TraceFormat
internal import TraceText

/// The timeline of a session as a picture: its waveform, or else the density of markers; the moments of the digest upon it.
struct PageTimeline {
    let digest: Digest
    let audio: PageAudio?
    let waveform: Waveform?

    /// Nothing where the session has no length, or there is neither sound nor a marker.
    var html: HTML {
        guard let length = digest.length, length > .zero, digest.strip != nil || waveform != nil else {
            return ""
        }
        let middle = length.half
        let start = audio.map { PageAudio.seconds($0.start.milliseconds) } ?? "0"
        let picture: HTML = """
            <svg class="strip" viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label="\(label)" \
            data-length="\(PageAudio.seconds(length.milliseconds))" data-start="\(start)">
            \(waveform.map { shape(of: $0, length) } ?? density)
            \(marks)\(HTML(ticks(length)))<line class="needle" id="needle" x1="0" x2="0" y1="0" y2="100"/>
            </svg>
            """
        return """
            <figure>
            \(picture)
            <figcaption><span>\(SessionOffset.zero.clock)</span><span>\(middle.clock)</span><span>\(length.clock)</span></figcaption>
            </figure>

            """
    }

    private var label: String {
        waveform == nil ? "Markers in the session" : "The sound of the session"
    }

    private func place(_ offset: SessionOffset, _ length: SessionOffset) -> Double {
        Double(min(max(offset, .zero), length).milliseconds) / Double(length.milliseconds) * 1000
    }

    // MARK: - Behind the moments

    private func shape(of waveform: Waveform, _ length: SessionOffset) -> HTML {
        let scale = 1000 / Double(length.milliseconds)
        let start = Double(digest.session.reviewAudio?.startOffset?.milliseconds ?? 0)
        let height = 48 / waveform.loudest
        var upper = ""
        var lower: [String] = []
        for (index, peak) in waveform.peaks.enumerated() {
            let x = (start + (Double(index) + 0.5) * waveform.millisecondsPerPeak) * scale
            guard x >= 0, x <= 1000 else { continue }
            let high = min(50 - Double(peak.greatest) * height, 49.5)
            let low = max(50 - Double(peak.least) * height, 50.5)
            upper += "\(upper.isEmpty ? "M" : "L")\(Self.decimal(x)) \(Self.decimal(high))"
            lower.append("L\(Self.decimal(x)) \(Self.decimal(low))")
        }
        if upper.isEmpty { return "" }
        return "<path class=\"wave\" d=\"\(upper + lower.reversed().joined())Z\"/>"
    }

    private var density: HTML {
        guard let strip = digest.strip else { return "" }
        let width = 1000 / Double(strip.cells.count)
        let most = Double(max(1, strip.cells.map(\.count).max() ?? 1))
        return HTML(
            strip.cells.enumerated().filter { $1.count > 0 }.map { index, cell in
                let height = 10 + 70 * Double(cell.count) / most
                let (x, y) = (Self.decimal(Double(index) * width), Self.decimal(100 - height))
                return """
                    <rect class="cell" x="\(x)" y="\(y)" width="\(Self.decimal(width * 0.9))" height="\(Self.decimal(height))"/>

                    """
            })
    }

    // MARK: - The moments

    /// A short one for each marker, a path for those of one category.
    private var marks: HTML {
        guard let ticks = digest.ticks else { return "" }
        let categories = [nil] + MarkerCategory.allCases.map(Optional.some)
        return HTML(
            categories.map { category -> HTML in
                let places = ticks.places(of: category)
                if places.isEmpty { return "" }
                let scale = 1000 / Double(MarkerTicks.placeCount)
                let path = places.map { "M\(Self.decimal((Double($0) + 0.5) * scale)) 84V100" }.joined()
                return "<path class=\"mark \(category?.rawValue ?? "other")\" d=\"\(path)\"/>\n"
            })
    }

    /// One over the whole height for each moment that the digest names.
    private func ticks(_ length: SessionOffset) -> [HTML] {
        var seen: Set<ULID> = []
        let moments = (digest.notable.items + digest.fixes.items).filter {
            seen.insert($0.marker.id).inserted
        }
        let marks = moments.map { moment in
            (
                offset: moment.marker.offset, name: "\(moment.marker.offset.clock) \(moment.name.text)",
                style: moment.categories.first?.rawValue ?? "other"
            )
        }
        let notes = digest.voiceNotes.items.filter { !seen.contains($0.id) }.map { note in
            (offset: note.offset, name: "\(note.offset.clock) voice note", style: "voice")
        }
        return (marks + notes).map { mark in
            let x = Self.decimal(place(mark.offset, length))
            let line: HTML = """
                <g class="tick \(mark.style)"><title>\(mark.name)</title><line x1="\(x)" x2="\(x)" y1="0" y2="100"/></g>
                """
            guard let url = audio?.url(at: mark.offset) else { return "\(line)\n" }
            return "<a class=\"t\" href=\"\(url)\">\(line)</a>\n"
        }
    }

    /// A number with at most two decimals, always with a point.
    private static func decimal(_ value: Double) -> String {
        let hundredths = Int64((value * 100).rounded())
        let (whole, rest) = (hundredths.magnitude / 100, Int(hundredths.magnitude % 100))
        let sign = hundredths < 0 ? "-" : ""
        return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(padded(rest, 2))"
    }
}
