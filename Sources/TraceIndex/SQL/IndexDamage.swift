/// A row that this program cannot have written.
struct IndexDamage: Error, CustomStringConvertible {
    var description: String
}
