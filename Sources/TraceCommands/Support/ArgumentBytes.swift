internal import ArgumentParser
internal import SystemPackage
internal import TraceStore
internal import TraceText

/// Carries arguments that are not UTF-8 through the parser, which knows nothing but strings.
///
/// A byte that is not UTF-8 becomes a character from the end of the last private use area; so do the bytes of those
/// characters themselves, so that every argument comes back as it was typed.
enum ArgumentBytes {
    private static let stand = UInt32(0x10FF00)

    /// The argument as the parser gets it.
    static func text(of bytes: [UInt8]) -> String {
        if let text = String(validating: bytes, as: UTF8.self), isUTF8(text) { return text }
        var text = String.UnicodeScalarView()
        var parser = Unicode.UTF8.ForwardParser()
        var input = bytes.makeIterator()
        var position = 0
        while true {
            switch parser.parseScalar(from: &input) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                text += isPlaceholder(scalar) ? encoded.compactMap(placeholder) : [scalar]
                position += encoded.count
            case .error(let length):
                text += bytes[position..<position + length].compactMap(placeholder)
                position += length
            case .emptyInput: return String(text)
            }
        }
    }

    /// The argument as it was typed.
    static func bytes(of text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar in
            isPlaceholder(scalar) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(Character(scalar).utf8)
        }
    }

    /// Whether the argument as it was typed is UTF-8, and so this very text.
    static func isUTF8(_ text: String) -> Bool { !text.unicodeScalars.contains(where: isPlaceholder) }

    /// A message about arguments, in which bytes that are not UTF-8 stand as `\xFF`.
    static func shown(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isPlaceholder) else { return text }
        return text.unicodeScalars.map { scalar in
            isPlaceholder(scalar)
                ? UInt8(truncatingIfNeeded: scalar.value).spelled : String(scalar)
        }.joined()
    }

    private static func placeholder(for byte: UInt8) -> Unicode.Scalar? {
        Unicode.Scalar(stand + UInt32(byte))
    }

    private static func isPlaceholder(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= stand + 0x80 }
}

extension FilePath {
    /// The path that an argument names.
    init(argument: String) {
        let bytes = ArgumentBytes.bytes(of: argument).map { CInterop.PlatformChar(truncatingIfNeeded: $0) }
        self = FilePath(platformString: bytes + [0])
    }
}

/// Reads an argument that is to be in a file as text.
@Sendable func words(_ argument: String) throws -> String {
    guard ArgumentBytes.isUTF8(argument) else { throw ValidationError("the text is not UTF-8") }
    return argument
}
