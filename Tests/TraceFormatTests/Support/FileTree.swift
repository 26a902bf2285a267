import Glibc

/// The files below a directory, with what stands in them.
struct FileTree {
    /// Regular files by their path relative to the directory.
    var files: [String: [UInt8]] = [:]
    /// Directories by their path relative to the directory.
    var directories: Set<String> = []

    struct Unreadable: Error {
        let path: String
        let number: Int32
    }

    init() {}

    init(_ directory: String) throws { try add(directory, "") }

    private mutating func add(_ directory: String, _ prefix: String) throws {
        for name in try Self.names(in: directory) {
            let path = "\(directory)/\(name)"
            var status = stat()
            guard stat(path, &status) == 0 else { throw Unreadable(path: path, number: errno) }
            if status.st_mode & S_IFMT == S_IFDIR {
                directories.insert(prefix + name)
                try add(path, prefix + name + "/")
            } else {
                files[prefix + name] = try Self.contents(of: path)
            }
        }
    }

    static func names(in directory: String) throws -> [String] {
        guard let stream = opendir(directory) else { throw Unreadable(path: directory, number: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func contents(of path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY)
        guard file >= 0 else { throw Unreadable(path: path, number: errno) }
        defer { close(file) }
        var contents: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(file, &chunk, chunk.count)
            guard count >= 0 else { throw Unreadable(path: path, number: errno) }
            if count == 0 { return contents }
            contents += chunk[..<count]
        }
    }
}
