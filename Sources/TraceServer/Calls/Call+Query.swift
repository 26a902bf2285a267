internal import HTTPTypes
internal import RecordFormat
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

extension Call {
    /// The media type to answer with, of those that there are.
    ///
    /// - Throws: ``Problem`` with 406.
    func accepted(_ types: [String]) throws(Problem) -> String {
        if let type = AcceptHeader(fields[values: .accept]).best(of: types) { return type }
        throw Problem(
            .notAcceptable, "not-acceptable", "this is not available in an accepted type",
            cure: "accept one of: \(types.joined(separator: ", "))")
    }

    /// The parameters of ``moments()``.
    static let momentQuery = [
        DeclaredParameter(name: "since", type: .moment, summary: "Only from this time on"),
        DeclaredParameter(
            name: "until", type: .moment, summary: "Only up to this time, or the end of this day"),
    ]

    /// What is between `since` and `until`, both of them included; nil if neither is given.
    ///
    /// - Throws: ``LibraryError``; ``Problem`` with 400 if they are the wrong way round.
    func moments() throws -> ClosedRange<Timestamp>? {
        guard self["since"] != nil || self["until"] != nil else { return nil }
        let zone = try context.zone()
        let lower =
            try self["since"].map { try TimeArgument($0, in: zone).first } ?? Timestamp(milliseconds: .min)
        let upper =
            try self["until"].map { try TimeArgument($0, in: zone).last } ?? Timestamp(milliseconds: .max)
        guard lower <= upper else {
            throw Problem(
                .badRequest, "parameter-malformed", "'since' is after 'until'", cure: "swap them")
        }
        return lower...upper
    }

    /// The parameters of ``offsets(in:)``.
    static let offsetQuery = [
        DeclaredParameter(name: "offset_min", type: .offset, summary: "Only from this offset on"),
        DeclaredParameter(name: "offset_max", type: .offset, summary: "Only up to this offset"),
    ]

    /// What is between `offset_min` and `offset_max`, both of them included.
    ///
    /// - Throws: ``LibraryError``, ``FormatError``; ``Problem`` with 400 if they are the wrong way round.
    func offsets(in session: CalledSession) throws -> ClosedRange<SessionOffset> {
        guard self["offset_min"] != nil || self["offset_max"] != nil else {
            return .zero...SessionOffset(milliseconds: .max)
        }
        let resolution = try OffsetResolution(in: session.path)
        let lower = try self["offset_min"].map { try resolution.offset($0, force: true) } ?? .zero
        let upper =
            try self["offset_max"].map { try resolution.offset($0, force: true) }
            ?? SessionOffset(milliseconds: .max)
        guard lower <= upper else {
            throw Problem(
                .badRequest, "parameter-malformed", "'offset_min' is after 'offset_max'",
                cure: "swap them")
        }
        return lower...upper
    }
}
