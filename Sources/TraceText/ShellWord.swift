extension String {
    /// The text as a shell reads it back as one word.
    package var asShellWord: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
                    || "0123456789_./:=+,@%-".utf8.contains($0)
            }
        return isPlain ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}
