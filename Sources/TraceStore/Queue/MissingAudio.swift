package import TraceFormat

/// Why an entry waits for its audio, in the words that all answers use.
enum MissingAudio {
    /// The file has not come.
    case absent
    /// It has, but it is not what the entry says: a sync tool may be writing it.
    case incomplete
    /// It may have, but the entry does not say yet what would be in it.
    case unknown

    func reason(_ attachment: SpoolEntry.Attachment) -> String {
        let name = "its audio '\(attachment.name)'"
        return switch self {
        case .absent: "\(name) is missing"
        case .incomplete: "\(name) is incomplete"
        case .unknown: "\(name) can't be checked: the entry does not have its sha256 yet"
        }
    }
}

extension QueueDirectories {
    /// Why an entry that waits in a spool can't be written before its audio comes; nil if it has none, or the audio seems to be
    /// there: its contents are not read.
    package func missingAudio(of entry: SpoolEntry, in spool: Spool) -> String? {
        guard let attachment = entry.attachment else { return nil }
        let lack: MissingAudio?
        if let size = (try? spool.size(of: attachment)) ?? nil {
            lack = size != attachment.size ? .incomplete : attachment.sha256 == nil ? .unknown : nil
        } else {
            // An entry that shares it may have taken it along.
            let kept = [done, failed, dropped].lazy.map(Spool.init)
            lack = kept.contains { (try? $0.keptName(of: attachment)) ?? nil != nil } ? nil : .absent
        }
        return lack?.reason(attachment)
    }
}
