package import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
package import TraceStore
internal import TraceText

/// Where people stopped listening to one session.
package struct SessionPositions {
    private let positions: Positions
    private let session: SessionTarget
    private let id: ULID

    /// - Throws: ``LibraryError`` with `.noSessionID`: positions are kept by the ids of sessions.
    package init(_ positions: Positions, of session: SessionTarget) throws(LibraryError) {
        guard let id = session.session.id else {
            throw LibraryError(
                .noSessionID, "\(session.path.escaped): the session has no valid id",
                cure: [
                    "\(verb: "validate") shows what is wrong with session.json",
                    "\(route: "GET /api/v1/sessions/{s}/findings") shows what is wrong with session.json",
                ])
        }
        self.positions = positions
        self.session = session
        self.id = id
    }

    /// Where a person stopped; nil if that is not known.
    ///
    /// - Throws: As ``Positions/position(of:in:)``.
    package func position(of person: Person) throws -> ListeningPosition? {
        try positions.position(of: person, in: id)
    }

    /// Notes where a person stopped.
    ///
    /// - Throws: ``LibraryError`` with `.recordNotFound` if the session has no media item of that id; as
    ///   ``Positions/set(_:of:in:now:)``.
    @discardableResult
    package func set(
        _ position: ListeningPosition, of person: Person, now: Timestamp = Clock.now()
    ) throws -> (position: ListeningPosition, isChanged: Bool) {
        if let media = position.media, !session.session.media.contains(where: { $0.id == media }) {
            throw LibraryError(
                .recordNotFound, "no media item of \(session.path.escaped) has the id \(media)",
                cure: "session.json lists the ids under media")
        }
        return try positions.set(position, of: person, in: id, now: now)
    }
}

extension LibraryWriter {
    /// Where people stopped listening.
    package var positions: Positions {
        Positions(state: stateDirectory, runtimeDirectory: runtimeDirectory)
    }
}
