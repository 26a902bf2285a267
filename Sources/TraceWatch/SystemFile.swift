package import SystemPackage

/// Small text files under /proc.
package enum SystemFile {
    /// The whole text, bytes that are not UTF-8 replaced; nil if it can't be read.
    static func contents(_ path: FilePath) -> String? {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec]) else {
            return nil
        }
        let bytes = try? file.closeAfter {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
                if count == 0 { return bytes }
                bytes += chunk[..<count]
            }
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The number that is all of the file's text.
    package static func number(_ path: FilePath) -> Int? {
        contents(path).flatMap { text in text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
        }
    }
}
