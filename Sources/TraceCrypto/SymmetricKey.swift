internal import CLibcrypto

/// The bytes of a key. They are overwritten when the last copy of the value is gone, and stand in no description.
package struct SymmetricKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    private let storage: Storage

    package init(data: [UInt8]) { storage = Storage(data) }

    /// A new key of random bytes, from the kernel.
    package init(byteCount: Int) { self.init(data: randomBytes(byteCount)) }

    var byteCount: Int { storage.bytes.count }

    /// Lends the bytes; nothing may keep the pointer.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
    {
        try body(UnsafeRawBufferPointer(storage.bytes))
    }

    package var description: String { "a key" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }

    // Sound: the memory is the object's own, written before anybody has the object, read while somebody does, and erased and freed by
    // `deinit`, when nobody does.
    private final class Storage: @unchecked Sendable {
        let bytes: UnsafeMutableRawBufferPointer

        init(_ source: [UInt8]) {
            bytes = .allocate(byteCount: source.count, alignment: 1)
            bytes.copyBytes(from: source)
        }

        deinit {
            clibcrypto_erase(bytes.baseAddress, bytes.count)
            bytes.deallocate()
        }
    }
}

/// Random bytes for keys and nonces: those of getrandom(2), which Swift's generator of this system asks.
package func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}
