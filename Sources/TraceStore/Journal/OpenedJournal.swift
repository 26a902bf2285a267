package import RecordFormat
package import SystemPackage

/// One reading of a journal, which all that is asked of it shares: each of its files is read when it is first needed, and once.
///
/// Nothing is locked, and nothing written. Belongs to one thread.
///
/// Source: docs/decisions/0047-a-kind-is-declared-once.md.
package protocol OpenedJournal: AnyObject, SendableMetatype {
    /// - Parameter path: The journal's directory.
    /// - Throws: ``FileError`` if it can't be opened.
    init(_ path: FilePath, _ asking: Asking) throws

    /// Who asks, and when. What was read stays when somebody else asks.
    var asking: Asking { get set }

    /// The journal's directory.
    var path: FilePath { get }

    /// In which its days begin.
    ///
    /// - Throws: What finds it.
    var zone: ZoneRules { get throws }

    /// What people are shown beside the answers, of what was read for them.
    var notices: [String] { get }
}

extension OpenedJournal {
    package var notices: [String] { [] }
}

/// Who asks, and when.
package struct Asking {
    package let now: Timestamp
    package let audience: Audience
    /// Finds the zone in which days are counted, where something counts them.
    package let zone: () throws -> ZoneRules

    /// To whom a journal shows what it hides from others.
    package enum Audience: Sendable {
        /// Who may ask by what is hidden, but is not shown it: the journal's owner.
        case owner
        /// Who is shown it, too.
        case ownerAlone
        /// Who may ask only by what answers show.
        case others
    }

    package init(
        now: Timestamp, audience: Audience = .owner, zone: @escaping () throws -> ZoneRules = { .utc }
    ) {
        self.now = now
        self.audience = audience
        self.zone = zone
    }
}
