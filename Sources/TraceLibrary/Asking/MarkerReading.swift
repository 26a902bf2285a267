package import RecordFormat
package import SystemPackage
internal import TraceFormat
package import TraceIndex
package import TraceStore

/// Finds markers of one session, by the index or in the file; the lines themselves always come from the file.
package struct MarkerReading {
    package let session: FilePath
    package let offsets: ClosedRange<SessionOffset>
    /// All of them, in lower case, as tags are.
    package let tags: [String]

    package init(session: FilePath, offsets: ClosedRange<SessionOffset>, tags: [String]) {
        self.session = session
        self.offsets = offsets
        self.tags = tags
    }

    /// How many lines the index is asked for at most: of more, a reading of the whole file on all cores tells sooner, for
    /// the index has its rows in another order.
    private static let indexLimit = 1 << 16

    /// The markers in the order of their offsets.
    ///
    /// - Parameter index: One that is up to date, where there is one.
    /// - Throws: ``FileError``.
    package func markers(by index: SessionIndex?) throws -> OrderedMarkers {
        let reader = try SessionReader(session)
        let found = try? index?.markerLines(of: session, offsets: offsets, tags: tags, limit: Self.indexLimit)
        if let found, let markers = try OrderedMarkers(in: reader, at: found.lines, where: found.isFile) {
            return markers
        }
        var choice = OrderedMarkers.Choice()
        choice.offsets = offsets
        choice.tags = tags
        return try OrderedMarkers(in: reader, choice)
    }
}
