/// What entries of the queue can ask of a session.
package enum EntryKinds {
    /// What is said where an entry has another kind.
    package static let cure =
        "write one of marker, voice_note, action_request, marker.edit, marker.remove, voice_note.edit, voice_note.remove, "
        + "session.start, session.pause, session.resume, session.close, session.edit"
}
