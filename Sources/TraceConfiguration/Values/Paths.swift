internal import SystemPackage
internal import TraceFiles
internal import TraceText

extension SettingType<FilePath> {
    /// One path.
    static var path: SettingType {
        .single(
            "path",
            read: { (text, input) throws(SettingProblem) in
                try readPath(text, from: input.baseDirectory, home: input.home)
            }, write: \.escaped)
    }
}

extension SettingType<[FilePath]> {
    /// A list of paths, of which the first of equals is kept. A single path counts as a list of one.
    static func paths(atLeast minimum: Int) -> SettingType {
        SettingType(
            label: { minimum > 0 ? "list of paths, at least \(minimum)" : "list of paths" }, isList: true,
            read: { (input) throws(SettingProblem) in
                let paths = try input.list { (text) throws(SettingProblem) in
                    try readPath(text, from: input.baseDirectory, home: input.home)
                }
                guard paths.count >= minimum else {
                    throw SettingProblem(
                        .outOfRange, "is empty", cure: "list at least \(minimum) path, or omit the key")
                }
                return paths
            }, texts: { $0.map(\.escaped) })
    }
}

extension SettingType<FilePath?> {
    /// One path, or none.
    static var pathIfAny: SettingType {
        .single(
            "path",
            read: { (text, input) throws(SettingProblem) in
                try readPath(text, from: input.baseDirectory, home: input.home)
            }, write: { $0.map(\.escaped) ?? "" })
    }
}

/// Reads a path: `~` and `$HOME` at its start are the home directory, a relative path starts from `base`.
///
/// `..` is kept: what it means depends on links.
func readPath(_ text: [UInt8], from base: FilePath?, home: FilePath?) throws(SettingProblem) -> FilePath {
    guard !text.isEmpty else {
        throw SettingProblem(.invalidValue, "'' is an empty path", cure: "write a path, or remove it")
    }
    guard !text.contains(0) else {
        throw SettingProblem(
            .invalidValue, "\(quoted(text)) has a NUL byte", cure: "file names can't contain one; remove it")
    }
    let slash = UInt8(ascii: "/")
    let end = text.firstIndex(of: slash) ?? text.endIndex
    let start = String(decoding: text[..<end], as: UTF8.self)
    if ["~", "$HOME", "${HOME}"].contains(start) {
        guard let home else {
            throw SettingProblem(
                .invalidValue, "\(quoted(text)) starts from the home directory, but there is none",
                cure: "write the full path, or set HOME")
        }
        return home.appending(named: text[end...])
    }
    if start.hasPrefix("~") || start.hasPrefix("$") {
        throw SettingProblem(
            .invalidValue, "\(quoted(text)) starts with '\(start)', which is not expanded",
            cure: "write the full path; only ~ and $HOME are expanded (a file of that name is ./\(start))")
    }
    if text.first == slash { return FilePath("/").appending(named: text[...]) }
    guard let base else {
        throw SettingProblem(
            .invalidValue, "\(quoted(text)) is relative, and the working directory no longer exists",
            cure: "write the full path")
    }
    return base.appending(named: text[...])
}

extension FilePath {
    /// The path with the components of another, without those that are just `.`.
    fileprivate func appending(named text: ArraySlice<UInt8>) -> FilePath {
        var path = self
        for component in FilePath(bytes: text).components where component.kind != .currentDirectory {
            path.append(component)
        }
        return path
    }
}

/// A value for a message: in quotes, escaped, and cut off after 200 bytes.
func quoted(_ bytes: [UInt8]) -> String {
    "'\(VisibleText.spelledOut(Array(bytes.prefix(200))))\(bytes.count > 200 ? "…" : "")'"
}
