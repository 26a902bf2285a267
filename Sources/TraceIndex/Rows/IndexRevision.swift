internal import GRDB

/// A state of an index: two that are equal hold the same rows.
struct IndexRevision: Sendable, Hashable {
    /// Which index: drawn when it was made.
    let epoch: Int64
    /// Counts the transactions that have changed something, whichever process they were of.
    let number: Int64
}

extension IndexRevision {
    /// The only row of its table.
    init(_ database: Database) throws {
        let row = try database.query("SELECT epoch, number FROM revision WHERE id = 1").first {
            IndexRevision(epoch: $0.int(0), number: $0.int(1))
        }
        guard let row else { throw IndexDamage(description: "it has no revision") }
        self = row
    }

    /// The number that the transaction which is under way will have, in SQL.
    static let next = "(SELECT number + 1 FROM revision WHERE id = 1)"

    /// Counts the transaction that is about to be committed.
    static func advance(in database: Database) throws {
        try database.query("UPDATE revision SET number = number + 1 WHERE id = 1").run()
    }
}
