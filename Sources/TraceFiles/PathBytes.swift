internal import Glibc
package import SystemPackage
internal import TraceText

extension FilePath {
    /// The bytes of the path, as the kernel takes them, without the closing NUL.
    package var bytes: [UInt8] {
        withPlatformString { pathBytes(of: $0) }
    }

    /// The path of these bytes, among which there is no NUL.
    package init(bytes: some Collection<UInt8>) {
        self.init(platformString: bytes.map { CInterop.PlatformChar(bitPattern: $0) } + [0])
    }

    /// The path that these hexadecimal digits write, two a byte; nil if they write none.
    package init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        guard !digits.isEmpty, digits.count.isMultiple(of: 2) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        guard bytes.count == digits.count / 2, !bytes.contains(0) else { return nil }
        self.init(bytes: bytes)
    }

    /// The path for a person's eyes: bytes that are not UTF-8 as `\xFF`, control characters and marks that
    /// turn the writing direction as `\u{1B}`, a backslash as `\\`; so two different paths never look the
    /// same, and no path can play tricks on a terminal.
    package var escaped: String { VisibleText.spelledOut(bytes) }

    /// Whether it is `directory` or is below it, going by the names. Asked for each event and each session, so it looks at the
    /// bytes alone and makes no components.
    package func lies(in directory: FilePath) -> Bool {
        // Sound: `withPlatformString` hands over NUL-terminated strings; `path` has `length` bytes before its NUL when they
        // are equal so far.
        directory.withPlatformString { directory in
            withPlatformString { path in
                let length = strlen(directory)
                guard strncmp(path, directory, length) == 0 else { return false }
                let slash = CInterop.PlatformChar(UInt8(ascii: "/"))
                return path[length] == 0 || path[length] == slash || (length > 0 && path[length - 1] == slash)
            }
        }
    }
}

extension FilePath {
    /// The directory in which it lies; the working directory for a name alone.
    package var containingDirectory: FilePath {
        let directory = removingLastComponent()
        return directory.isEmpty ? "." : directory
    }
}

extension FilePath.Component {
    /// The bytes of the name, as the kernel takes them, without the closing NUL.
    package var bytes: [UInt8] {
        withPlatformString { pathBytes(of: $0) }
    }

    /// The name made of these bytes; nil if they are none, or hold a slash or a NUL.
    package init?(bytes: some Collection<UInt8>) {
        guard !bytes.contains(0), !bytes.contains(UInt8(ascii: "/")) else { return nil }
        self.init(platformString: bytes.map { CInterop.PlatformChar(truncatingIfNeeded: $0) } + [0])
    }

    /// The name for a person's eyes, as ``SystemPackage/FilePath/escaped``.
    package var escaped: String { VisibleText.spelledOut(bytes) }
}

/// The bytes in front of the NUL of a string that the caller lends for the length of this call.
private func pathBytes(of string: UnsafePointer<CInterop.PlatformChar>) -> [UInt8] {
    // Sound: `withPlatformString` hands over a NUL-terminated string, whose length `strlen` counts.
    Array(UnsafeRawBufferPointer(start: string, count: strlen(string)))
}
