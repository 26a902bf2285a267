package import RecordFormat

extension SpoolEntry {
    /// The entry of a voice note whose audio is known now.
    ///
    /// - Parameters:
    ///   - fileExtension: That of its container. Where its maker expected another, audio and record are named by this one.
    ///   - sha256: The audio's.
    /// - Throws: ``FormatError`` if the payload is not one JSON object.
    package func with(audio fileExtension: String, sha256: String) throws(FormatError) -> SpoolEntry {
        var entry = self
        entry.attachment?.sha256 = sha256
        guard let attachment, !attachment.name.lowercased().hasSuffix(".\(fileExtension)") else {
            return entry
        }
        let name = "\(id).\(fileExtension)"
        var editor = try JSONObjectEditor(payload)
        try editor.set("media_path", to: JSONText("media/\(name)"))
        return SpoolEntry(
            id: id, kind: kind, journalID: journalID, createdAt: createdAt, device: device,
            payload: JSONText(verbatim: JSONText.compacted(editor.bytes)),
            attachment: Attachment(name: name, size: attachment.size, sha256: sha256),
            deliveredBy: deliveredBy)
    }
}
