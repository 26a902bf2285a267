/// A row that this program can't have written.
struct IndexDamage: Error, CustomStringConvertible {
    var description: String
}
