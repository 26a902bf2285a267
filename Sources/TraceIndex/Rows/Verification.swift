/// How thoroughly a large file is compared before only the appended part is read.
package enum Verification: Sendable, Equatable {
    /// The first and the last blocks of what is indexed: right after an event, at a cost that does not grow with the file.
    case quick
    /// Every byte of what is indexed, by the hashes of its blocks.
    case thorough
}
