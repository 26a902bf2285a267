internal import Glibc
internal import SystemPackage
internal import TraceFiles
internal import TraceText
internal import Yams

/// One configuration file, with the line of each key.
///
/// It is parsed by Yams, which is kept from guessing the types of scalars: the regular expressions for that cost a command
/// 2 ms. Every value is text until its key reads it.
struct SettingsFile: Sendable {
    /// The path of the file.
    let path: FilePath
    /// What the file says, in its order; no two of a key.
    private let entries: [Entry]
    /// What is wrong with single keys, which say nothing then.
    let mistakes: [SettingsMistake]

    /// The file's entry for one key.
    private struct Entry: Sendable {
        /// The key; it exists.
        let key: String
        /// The 1-based line of the key.
        let line: Int?
        /// The texts, one unless it is a list.
        let texts: [String]
        /// The 1-based lines of the texts.
        let textLines: [Int?]
        /// Whether the value is a list.
        let isList: Bool
    }

    /// The most that a configuration file may hold.
    static let maximumSize = 1 << 20

    /// Reads a file.
    ///
    /// - Returns: nil if there is no such file.
    /// - Throws: `.fileUnreadable`, `.fileMalformed`, `.duplicateKey`.
    init?(at path: FilePath) throws(ConfigurationError) {
        guard let bytes = try Self.read(path) else { return nil }
        try self.init(bytes, of: path)
    }

    /// Parses the bytes of a file and looks whether its keys exist and hold texts.
    private init(_ bytes: [UInt8], of path: FilePath) throws(ConfigurationError) {
        self.path = path
        let known = TraceKeys.all.map(\.name)
        var entries: [Entry] = []
        var mistakes: [SettingsMistake] = []
        // No `?? [:]`: what Yams makes of a literal needs the regular expressions.
        if let mapping = try Self.compose(bytes, of: path) {
            for (key, value) in mapping {
                do throws(ConfigurationError) {
                    let name = try Self.check(key, value, of: path, known: known)
                    entries.append(try Self.entry(name, key, value, of: path))
                } catch {
                    mistakes.append(SettingsMistake(error, holdsPath: Self.holdsPath(value)))
                }
            }
        }
        self.entries = entries
        self.mistakes = mistakes
    }

    /// What the file says about a key, or nil if it does not name it. One text is a list of one.
    ///
    /// - Throws: ``ConfigurationError`` with `.wrongType` for a list where the key takes one value.
    func input(for key: any SettingDeclaration, home: FilePath?) throws(ConfigurationError) -> SettingInput? {
        guard let entry = entries.first(where: { $0.key == key.name }) else { return nil }
        let origin = SettingOrigin.file(path, line: entry.line)
        guard key.isList || !entry.isList else {
            throw ConfigurationError(
                .wrongType, "\(key.name) holds a list", at: origin, key: key.name,
                cure: "write \(key.name): VALUE")
        }
        return SettingInput(
            texts: entry.texts.map { Array($0.utf8) }, origin: origin,
            textOrigins: entry.textLines.map { .file(path, line: $0) },
            baseDirectory: path.removingLastComponent(), home: home)
    }
}

// MARK: - Bytes

extension SettingsFile {
    /// The bytes of a file, or nil if there is none at that path. A pipe or the like is refused without waiting for what
    /// may never come.
    private static func read(_ path: FilePath) throws(ConfigurationError) -> [UInt8]? {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            return try file.closeAfter {
                try requireFile(file)
                // One byte more than allowed, to notice that there is more.
                return try [UInt8](unsafeUninitializedCapacity: maximumSize + 1) { buffer, count in
                    while count < buffer.count {
                        let free = UnsafeMutableRawBufferPointer(
                            rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                        let read = try file.read(into: free)
                        if read == 0 { break }
                        count += read
                    }
                }
            }
        } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
            return nil
        } catch Errno.noSuchAddressOrDevice {
            // What a socket answers, and a device without a driver (open(2), ENXIO).
            throw ConfigurationError(
                .fileUnreadable, "is a pipe, socket or device, not a regular file",
                at: .file(path, line: nil),
                cure: [
                    "put a regular file in its place, or name another with \(option: "config") or TRACE_CONFIG",
                    "/dev/null stands for none",
                ]
            )
        } catch {
            throw ConfigurationError(
                .fileUnreadable, "cannot read the configuration file: \(error)", at: .file(path, line: nil),
                cure: "make it readable, or name another with \(option: "config") or TRACE_CONFIG")
        }
    }

    /// Refuses what is neither a regular file nor a directory, of which the reading tells, nor the null device, which reads
    /// as an empty file.
    ///
    /// - Throws: `Errno.noSuchAddressOrDevice`.
    private static func requireFile(_ file: FileDescriptor) throws(Errno) {
        let status = try FileStatus(ofDescriptor: file.rawValue)
        let isNull = status.kind == .special && status.representedDevice == nullDevice
        guard status.kind == .regular || status.kind == .directory || isNull else {
            throw .noSuchAddressOrDevice
        }
    }

    /// Major number 1, minor number 3 (null(4)).
    private static let nullDevice: UInt64 = 0x103
}

// MARK: - Shape

extension SettingsFile {
    /// The top level of the file, or nil if it holds nothing but comments.
    private static func compose(_ bytes: [UInt8], of path: FilePath) throws(ConfigurationError) -> Node
        .Mapping?
    {
        func malformed(_ message: String, line: Int?, cure: Cure? = nil) -> ConfigurationError {
            ConfigurationError(.fileMalformed, message, at: .file(path, line: line), cure: cure)
        }
        guard bytes.count <= maximumSize else {
            throw malformed(
                "is larger than 1 MiB", line: nil, cure: "check that this is a configuration file")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw malformed(
                "is not UTF-8", line: firstLineThatIsNotUTF8(bytes),
                cure:
                    "save the file as UTF-8; a path that is not UTF-8 can only be given by a TRACE_… variable"
            )
        }
        do {
            // The encoding is named because Yams would else ask the environment for it.
            let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
            guard let root = try parser.singleRoot() else { return nil }
            if let scalar = root.scalar, isNull(scalar) { return nil }
            guard let mapping = root.mapping else {
                throw malformed(
                    "is not a mapping of keys to values", line: root.mark?.line,
                    cure: "write one 'key: value' a line, such as 'log_level: debug'")
            }
            return mapping
        } catch let error as ConfigurationError {
            throw error
        } catch YamlError.duplicatedKeysInMapping(let names, _) {
            let name = names.min() ?? ""
            throw ConfigurationError(
                .duplicateKey, "key \(quoted(Array(name.utf8))) appears twice",
                at: .file(path, line: secondLine(of: name, in: text)), key: name, cure: "keep one of them")
        } catch YamlError.scanner(_, let problem, let mark, _),
            YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _)
        {
            throw malformed(
                "invalid YAML: \(problem) (column \(mark.column))", line: mark.line,
                cure:
                    "check this line and the one before it; text that contains : # [ { or * needs quotes"
            )
        } catch YamlError.reader(let problem, let offset, _, _) {
            let line = offset.map { text.prefix($0).count { $0.isNewline } + 1 }
            throw malformed(
                "invalid YAML: \(problem)", line: line, cure: "remove it, or write it as an escape in quotes")
        } catch {
            throw malformed("invalid YAML: \(error)", line: nil)
        }
    }

    /// The line where a key stands for the second time, if it is at the start of lines.
    ///
    /// Yams names the key, but only the line where the mapping begins.
    private static func secondLine(of key: String, in text: String) -> Int? {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .filter { $0.element.hasPrefix("\(key):") }.dropFirst().first.map { $0.offset + 1 }
    }

    /// The name of a top-level key, once it is known to exist.
    private static func check(
        _ key: Node, _ value: Node, of path: FilePath, known: [String]
    ) throws(ConfigurationError) -> String {
        let origin = SettingOrigin.file(path, line: key.mark?.line)
        guard let name = key.scalar?.string else {
            throw ConfigurationError(.fileMalformed, "a key is not plain text", at: origin)
        }
        if known.contains(name) { return name }
        // `log: {level: debug}` is shown, and looked for, as `log.level`.
        var full = name
        var inner = value
        while let (key, value) = inner.mapping?.first, let next = key.scalar?.string {
            full += ".\(next)"
            inner = value
        }
        let cure: Cure =
            nearestName(to: full, among: known).map { "did you mean '\($0)'?" }
            ?? "the keys are: \(known.joined(separator: ", "))"
        throw ConfigurationError(
            .unknownKey, "unknown key \(quoted(Array(full.utf8)))", at: origin, key: full, cure: cure)
    }

    /// Whether a value looks like a path, or like a list of them.
    private static func holdsPath(_ value: Node) -> Bool {
        let nodes = value.sequence.map(Array.init) ?? [value]
        return nodes.contains { node in
            node.scalar.map { $0.string.hasPrefix("~") || $0.string.utf8.contains(UInt8(ascii: "/")) }
                ?? false
        }
    }

    /// What the file says of a key, once the value is known to be text or a list of texts.
    private static func entry(
        _ name: String, _ key: Node, _ value: Node, of path: FilePath
    ) throws(ConfigurationError) -> Entry {
        let nodes = value.sequence.map(Array.init) ?? [value]
        var texts: [String] = []
        for node in nodes {
            let origin = SettingOrigin.file(path, line: node.mark?.line ?? key.mark?.line)
            guard let scalar = node.scalar else {
                let found = node.mapping == nil ? "a nested list" : "a mapping"
                throw ConfigurationError(
                    .wrongType, "\(name) holds \(found)", at: origin, key: name,
                    cure: "write \(name): VALUE, or a list with one '- VALUE' a line")
            }
            guard !isNull(scalar) else {
                let cure: Cure =
                    scalar.string == "~"
                    ? "YAML reads a bare ~ as null; write \"~\" in quotes for the home directory"
                    : "give it a value, or remove the line"
                throw ConfigurationError(
                    .wrongType, "\(name) has no value", at: origin, key: name, cure: cure)
            }
            texts.append(scalar.string)
        }
        return Entry(
            key: name, line: key.mark?.line, texts: texts, textLines: nodes.map { $0.mark?.line },
            isList: value.sequence != nil)
    }

    /// Whether YAML reads a scalar as "nothing".
    private static func isNull(_ scalar: Node.Scalar) -> Bool {
        scalar.style == .plain && ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }

    /// The 1-based number of the first line that is not UTF-8.
    private static func firstLineThatIsNotUTF8(_ bytes: [UInt8]) -> Int? {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .firstIndex { String(validating: $0, as: UTF8.self) == nil }
            .map { $0 + 1 }
    }
}
