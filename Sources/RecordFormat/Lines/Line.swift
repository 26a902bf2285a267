/// One line of a file: where it is, and its bytes without the line break.
package struct Line {
    /// 1-based; blank lines count.
    package let number: Int
    /// Bytes from the start of the file.
    package let offset: Int
    /// The content, without `\n` or `\r\n`; ``JSONParser/padding`` readable bytes follow it. The memory belongs to the
    /// ``LineBuffer`` and is valid until its next call.
    package let content: UnsafeRawBufferPointer
    package let ending: Ending

    /// How a line ends.
    package enum Ending: Equatable {
        /// With a line break.
        case lineBreak
        /// With the end of the file: torn, or still being written.
        case endOfFile
        /// It is longer than a reader takes; the content is its beginning.
        case tooLong
    }

    /// Whether there is nothing but white space.
    package var isBlank: Bool {
        content.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
    }
}
