internal import SystemPackage
package import TraceFiles
internal import TraceText

/// A person who listens, whichever device they do it with: the name that their tokens have, or their login name.
package struct Person: Sendable, Hashable {
    /// The name, as it was given.
    package let name: String

    /// The most bytes that a name has in UTF-8.
    static let longestName = 64

    /// A person of that name.
    ///
    /// - Throws: ``FileError`` with `.invalidData` if it is empty, longer than 64 bytes, or has control characters.
    package init(_ name: String) throws(FileError) {
        let isShown = !name.unicodeScalars.contains {
            $0.properties.generalCategory == .control || $0.properties.generalCategory == .lineSeparator
                || $0.properties.generalCategory == .paragraphSeparator
        }
        guard (1...Self.longestName).contains(name.utf8.count), isShown,
            name.contains(where: { !$0.isWhitespace })
        else {
            throw FileError(
                .invalidData, "'\(name.prefix(Self.longestName))' is not the name of a person",
                cure: "give 1 to \(Self.longestName) bytes of text on one line, such as a login name")
        }
        self.name = name
    }

    /// The user of this process.
    ///
    /// - Throws: As ``init(_:)``.
    package static var current: Person {
        get throws(FileError) { try Person(UserAccount.name) }
    }

    /// The name of their file: no two persons have the same, also where a file system ignores case.
    var fileName: FilePath.Component? {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"):
                text.append(byte)
            default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return FilePath.Component(String(decoding: text, as: UTF8.self) + ".json")
    }
}
