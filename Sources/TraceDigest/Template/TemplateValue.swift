internal import RecordFormat
internal import TraceFormat
internal import TraceText

/// What a template can show under a name, ready to be shown: texts are on one line and cut to length.
///
/// docs/digest.md lists every name; a test compares.
indirect enum TemplateValue: Sendable, Equatable {
    case text(String)
    /// Counts as nothing where it is 0.
    case number(Int)
    case flag(Bool)
    case list([TemplateValue])
    case object([String: TemplateValue])

    /// All names of these values and of those in them.
    static func names(_ values: [String: TemplateValue]) -> Set<String> {
        values.reduce(into: Set(values.keys)) { names, entry in
            guard case .list(let items) = entry.value else { return }
            for case .object(let item) in items { names.formUnion(Self.names(item)) }
        }
    }

    fileprivate static func line(_ line: SingleLine?) -> TemplateValue { .text(line?.text ?? "") }
}

extension Digest {
    /// The values of a digest.
    var templateValues: [String: TemplateValue] {
        var values = Self.values(of: counts)
        func set(_ name: String, _ value: TemplateValue) { values[name] = value }
        func set<Item>(_ name: String, _ list: TruncatedList<Item>, _ item: (Item) -> [String: TemplateValue])
        {
            set(name, .list(list.items.map { .object(item($0)) }))
            set("\(name)_more", .number(list.more))
        }
        set("heading", .line(heading))
        set("title", .line(SingleLine(session.title ?? "", limit: 80)))
        set("session_id", .text(session.id?.description ?? ""))
        set("date", .text(session.startTime.map(zone.minuteText) ?? ""))
        set("zone", .text(zone.name))
        set("length", .text(length?.clock ?? ""))
        set("status", .text(session.status?.rawValue ?? ""))
        set("facts", .text(facts.joined(separator: " · ")))
        set("timeline", .text(strip?.rows().joined(separator: "\n") ?? ""))
        set("markers", .number(markerCount))
        set("highlights", .number(categoryCounts[.highlight] ?? 0))
        set("structures", .number(categoryCounts[.structure] ?? 0))
        set("textures", .number(categoryCounts[.texture] ?? 0))
        set("to_fix", .number(categoryCounts[.fix] ?? 0))
        set("notable_moments", notable) { $0.templateValues() }
        set("fixes", fixes) { $0.templateValues(omitting: .fix) }
        set("voice_notes", voiceNotes) { $0.templateValues }
        set("actions", actions) { $0.templateValues(in: zone) }
        set("problems", problems) { $0.templateValues }
        set("problem_counts", .text(problemCounts))
        set("errors", .number(errorCount))
        set("warnings", .number(problems.total - errorCount))
        return values
    }

    /// The numbers below the heading.
    fileprivate static func values(of counts: [Count]) -> [String: TemplateValue] {
        [
            "count_line": .text(counts.map { "\($0.name) \($0.count)" }.joined(separator: " · ")),
            "counts": .list(counts.map { .object(["what": .text($0.name), "number": .number($0.count)]) }),
        ]
    }
}

extension CombinedDigest {
    /// The values of a digest of several sessions.
    var templateValues: [String: TemplateValue] {
        var values = Digest.values(of: counts)
        func set(_ name: String, _ value: TemplateValue) { values[name] = value }
        func set<Item>(
            _ name: String, _ list: Digest.TruncatedList<Item>, _ item: (Item) -> [String: TemplateValue]
        ) {
            set(name, .list(list.items.map { .object(item($0)) }))
            set("\(name)_more", .number(list.more))
        }
        func with(_ session: Entry, _ values: [String: TemplateValue]) -> [String: TemplateValue] {
            values.merging(["session": .line(session.digest.heading)]) { $1 }
        }
        set("heading", .line(heading))
        set("facts", .text(facts.joined(separator: " · ")))
        set("zone", .text(zone.name))
        set("length", .text(length.clock))
        set("session_count", .number(sessions.total))
        set("day_count", .number(dayCount))
        set("days", .list(days.map { .object($0.templateValues) }))
        set("markers", .number(markerCount))
        set("sessions", sessions) { entry in
            entry.digest.templateValues.merging(["path": .text(entry.path)]) { $1 }
        }
        set("fixes", fixes) { with($0.session, $0.moment.templateValues(omitting: .fix)) }
        set("actions", actions) { with($0.session, $0.action.templateValues(in: zone)) }
        set("errors", .number(errorCount))
        set("warnings", .number(warningCount))
        return values
    }
}

extension CombinedDigest.Day {
    fileprivate var templateValues: [String: TemplateValue] {
        [
            "day": .text(date), "weekday": .text(weekday), "played": .text(length.clock),
            "played_sessions": .number(sessionCount), "played_markers": .number(markerCount),
        ]
    }
}

extension Moment {
    fileprivate func templateValues(omitting omitted: MarkerCategory? = nil) -> [String: TemplateValue] {
        let facts = facts(omitting: omitted).map(\.text.text)
        return [
            "id": .text(marker.id.description), "time": .text(marker.offset.clock),
            "seconds": .text(PageAudio.seconds(marker.offset.milliseconds)), "until": .text(marker.end.clock),
            "name": .line(name), "note": .line(note),
            "categories": .text(categories.map(\.name).joined(separator: ", ")),
            "details": .text(facts.joined(separator: ", ")), "is_spoken": .flag(voiceNote != nil),
        ]
    }
}

extension VoiceNote {
    fileprivate var templateValues: [String: TemplateValue] {
        [
            "id": .text(id.description), "time": .text(offset.clock),
            "seconds": .text(PageAudio.seconds(offset.milliseconds)), "lasts": .text(duration.clock),
            "excerpt": .line(excerpt), "is_transcribed": .flag(isTranscribed),
        ]
    }
}

extension ActionRun {
    fileprivate func templateValues(in zone: ZoneRules) -> [String: TemplateValue] {
        [
            "id": .text(id.description), "action": .line(shownName), "outcome": .text(outcome),
            "asked": .text(createdAt.map(zone.minuteText) ?? ""), "error": .line(shownError),
        ]
    }
}

extension Finding {
    fileprivate var templateValues: [String: TemplateValue] {
        [
            "severity": .text(severity.rawValue), "place": .line(shownPlace), "message": .line(shownMessage),
            "rule": .text(rule.id),
        ]
    }
}
