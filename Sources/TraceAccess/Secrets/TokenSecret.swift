internal import TraceFiles
internal import TraceText

/// A token as its holder has it: `trace_`, 32 digits of base 32 (160 random bits) and 6 digits of checksum.
///
/// The checksum tells a typing error from a token that is not known. What is kept of a secret is its SHA-256 alone; it is shown
/// once, by ``text``, and by nothing else.
package struct TokenSecret: Sendable, HiddenValue {
    private let digits: SecretDigits

    private static let prefix = Array("trace_".utf8)
    private static let length = 32
    private static let checksumLength = 6

    /// A new secret.
    init() { digits = SecretDigits(count: Self.length) }

    /// The secret that these bytes write, in upper or lower case. They may be anything.
    ///
    /// - Throws: ``AccessError`` with `.tokenMalformed`, or `.tokenMistyped` if only the checksum is wrong. Neither repeats what
    ///   was typed.
    package init(parsing typed: some Collection<UInt8>) throws(AccessError) {
        // Of an array, what follows is compiled once for all; as a collection, it was slow.
        let typed = Array(typed)
        let cure: Cure = "copy the whole token, from 'trace_' on"
        guard typed.count == Self.prefix.count + Self.length + Self.checksumLength,
            zip(typed, Self.prefix).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 }),
            let digits = SecretDigits(typed.dropFirst(Self.prefix.count).prefix(Self.length)),
            let checksum = SecretDigits(typed.suffix(Self.checksumLength))
        else { throw AccessError(.tokenMalformed, "this is not a token of trace", cure: cure) }
        guard digits.checksum(count: Self.checksumLength).isEqual(to: checksum) else {
            throw AccessError(.tokenMistyped, "the token has a typing error", cure: cure)
        }
        self.digits = digits
    }

    /// The token, in lower case: to be shown once.
    package var text: String {
        String(
            decoding: Self.prefix + digits.lowerCase
                + digits.checksum(count: Self.checksumLength).lowerCase, as: UTF8.self)
    }

    /// The SHA-256 of ``text``, in hexadecimal: what is kept of it.
    var sha256: String { secretHash(Array(text.utf8)) }
}
