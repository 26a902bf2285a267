package import RecordFormat
internal import TraceFormat
package import TraceStore

/// The outcome of changing a record.
package struct EditedRecord: Sendable {
    let id: ULID
    let target: SessionTarget
    package let editing: RecordEditing

    /// The outcome of an edit of a record of that id.
    package init(id: ULID, target: SessionTarget, editing: RecordEditing) {
        self.id = id
        self.target = target
        self.editing = editing
    }
}

/// A marker that has been removed.
package struct RemovedMarker: Sendable {
    let id: ULID
    let target: SessionTarget
    package let outcome: MarkerRemoval.Outcome
}

extension LibraryWriter {
    /// Changes a marker.
    ///
    /// - Parameter report: Called with what the offset was read as, if one is given, before anything is written.
    /// - Throws: As ``MarkerChange/edit(in:from:report:)`` and ``SessionWriter/editMarker(_:_:)``.
    /// - Note: Durable on return, and may be repeated.
    package func editMarker(
        _ id: ULID, in target: SessionTarget, _ change: MarkerChange,
        report: (MarkerChange.Notice) -> Void = { _ in }
    ) throws -> EditedRecord {
        let decoder = try RecordDecoder(.marker) { Marker($0) }
        let editing = try writer(target).editMarker(id) { line in
            try change.edit(in: target, from: decoder.decode(line)?.value.offset, report: report)
        }
        return EditedRecord(id: id, target: target, editing: editing)
    }

    /// Says what a voice note says.
    ///
    /// - Throws: As ``SessionWriter/setTranscript(of:to:)``.
    /// - Note: Durable on return, and may be repeated.
    package func setTranscript(
        of id: ULID, in target: SessionTarget, to text: String
    ) throws -> EditedRecord {
        EditedRecord(id: id, target: target, editing: try writer(target).setTranscript(of: id, to: text))
    }

    /// Takes a marker out of a session; no entry of the queue brings it back.
    ///
    /// - Parameter droppingReferences: Whether voice notes that name the marker lose their `marker_id`.
    /// - Throws: As ``MarkerRemoval/remove(_:droppingReferences:)``.
    /// - Note: Durable on return, and may be repeated after a kill.
    package func removeMarker(
        _ id: ULID, from target: SessionTarget, droppingReferences: Bool = false
    ) throws -> RemovedMarker {
        let removal = MarkerRemoval(writer(target), queue: queue, runtimeDirectory: runtimeDirectory)
        return RemovedMarker(
            id: id, target: target,
            outcome: try removal.remove(id, droppingReferences: droppingReferences))
    }
}
