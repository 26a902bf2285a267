internal import TraceAccess
internal import TraceCrypto
internal import RecordFormat
internal import TraceFiles

/// What decides how an answer looks: the same ingredients, the same answer. Its tag is their hash, which is known before the answer.
struct TagIngredients {
    private var hash = SHA256()

    mutating func add(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { hash.update(bufferPointer: $0) }
    }

    /// Each text with its length, so that no two lists of them run into the same bytes.
    mutating func add(_ text: String) { add(Array(text.utf8)) }

    mutating func add(_ bytes: [UInt8]) {
        add(Int64(bytes.count))
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
    }

    mutating func add(_ isTrue: Bool) { add(isTrue ? 1 : 0) }

    /// A state of a file.
    mutating func add(_ identity: FileIdentity) {
        add(Int64(bitPattern: identity.device))
        add(Int64(bitPattern: identity.inode))
        add(identity.size)
        for time in [identity.modified, identity.changed] {
            add(time.seconds)
            add(Int64(time.nanoseconds))
        }
    }

    /// What a client may see; nil is everything. Filters are distinguished by all that they say, so that none passes for another.
    mutating func add(_ filter: AccessFilter?) {
        add(filter != nil)
        if let filter { add(JSONText.object { filter.write(to: &$0) }.bytes) }
    }

    /// Their tag.
    func tag(isWeak: Bool = false) -> EntityTag {
        EntityTag(hash: hash.finalize().prefix(12), isWeak: isWeak)
    }
}
