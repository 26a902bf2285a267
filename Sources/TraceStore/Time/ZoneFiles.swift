internal import Glibc
package import RecordFormat
internal import SystemPackage
internal import TraceFiles
package import TraceText

/// The zones that this machine knows (tzfile(5)), and the one that is its own.
///
/// Nothing is kept: each call reads a file of some kilobytes, and callers that show many moments ask once.
package enum ZoneFiles {
    /// A zone by its name: `Europe/Berlin`, or a rule as ``ZoneRules/init(rule:)`` takes it.
    ///
    /// A name that has no file is looked up among the names of that very zone (``ZoneLinks``): browsers send names that were
    /// changed long ago, and systems leave such out.
    ///
    /// - Throws: ``FileError`` with `.notFound` for a name that is not one, `.invalidData` for a file that is damaged.
    package static func rules(named name: String) throws -> ZoneRules {
        try rules(named: name, below: directory)
    }

    /// - Parameter directory: Where the files of zones are.
    static func rules(named name: String, below directory: FilePath) throws -> ZoneRules {
        if universal.contains(name) { return .utc }
        guard let file = file(named: name, below: directory) else {
            if let rules = ZoneRules(rule: name) { return rules }
            throw FileError(.notFound, "'\(name)' is not a time zone")
        }
        if let rules = try rules(ofZone: file, name: name) { return rules }
        for other in ZoneLinks.names(of: name, below: directory) {
            guard let file = Self.file(named: other, below: directory) else { continue }
            if let rules = try rules(ofZone: file, name: name) { return rules }
        }
        // Old names such as EST5EDT are both, and the name comes first.
        if let rules = ZoneRules(rule: name) { return rules }
        throw FileError(
            .notFound, "'\(name)' is not a time zone known on this machine", path: directory,
            cure: ZoneLinks.newName(of: name, below: directory).map {
                "it is \($0) now, whose file is missing, too: apt install --reinstall tzdata"
            }
                ?? "'timedatectl list-timezones' lists them; if there are none, apt install tzdata")
    }

    /// The zone of the same part of the world of which a name is most likely a slip: the only one that differs in one letter.
    ///
    /// Names without a part of the world are so short that another zone is one letter away (`ROC`, `ROK`), as are numbers.
    package static func slip(_ name: String) -> String? {
        guard name.contains("/"), !name.utf8.contains(where: \.isASCIIDigit) else { return nil }
        let near = names(near: name).filter { editDistance(Array($0), Array(name)) == 1 }
        return near.count == 1 ? near[0] : nil
    }

    /// The zones of the same part of the world.
    private static func names(near name: String) -> [String] {
        guard let file = file(named: name, below: directory) else { return [] }
        let prefix = name.lastIndex(of: "/").map { name[...$0] } ?? ""
        var names: [String] = []
        try? OpenDirectory(file.removingLastComponent()).forEachName { names.append(prefix + $0.string) }
        return names
    }

    /// The zone that is configured, or the machine's.
    ///
    /// - Parameter name: Nil if none is.
    /// - Throws: As ``rules(named:)``.
    package static func rules(configured name: String?) throws -> ZoneRules {
        try name.map { try rules(named: $0) } ?? machine.rules
    }

    /// The zone of the machine, or of this process.
    package struct Machine: Sendable {
        package let rules: ZoneRules
        /// What told it: `TZ` or `/etc/localtime`; nil if nothing does, and it is UTC.
        package let origin: String?
        /// Why what tells it can't be used; it is UTC then, as other programs have it.
        package var problem: ErrorReport?
    }

    /// The zone that `TZ` names, else that of `/etc/localtime`.
    ///
    /// Source: tzset(3); localtime(5).
    package static var machine: Machine {
        if let variable = getenv("TZ") { return named(byVariable: String(cString: variable)) }
        do {
            if let name = try linkedName {
                return Machine(rules: try rules(named: name), origin: localTime.string)
            }
            guard let rules = try rules(of: localTime, name: nameBesideLocalTime) else {
                return Machine(rules: .utc, origin: nil)
            }
            return Machine(rules: rules, origin: localTime.string)
        } catch {
            return Machine(rules: .utc, origin: localTime.string, problem: error.anyReport)
        }
    }

    private static let localTime: FilePath = "/etc/localtime"
    /// Names that need no file.
    private static let universal = ["UTC", "Etc/UTC"]

    private static var directory: FilePath {
        let named = getenv("TZDIR").map { FilePath(platformString: $0) }
        return named.flatMap { $0.isAbsolute ? $0 : nil } ?? "/usr/share/zoneinfo"
    }

    private static func named(byVariable text: String) -> Machine {
        let name = text.first == ":" ? String(text.dropFirst()) : text
        do {
            let rules: ZoneRules? =
                if name.isEmpty { .utc } else if name.first == "/" {
                    try Self.rules(of: FilePath(name), name: Self.name(below: FilePath(name)) ?? "")
                } else { try Self.rules(named: name) }
            if let rules { return Machine(rules: rules, origin: "TZ") }
            return Machine(
                rules: .utc, origin: "TZ", problem: ErrorReport(message: "there is no file \(name)"))
        } catch {
            return Machine(rules: .utc, origin: "TZ", problem: error.anyReport)
        }
    }

    // MARK: - Files

    /// More than any zone has.
    private static let largestFile: Int64 = 1 << 20

    /// Nil if nothing has this name, or something that is not a file, such as the directory of a part of the world.
    private static func rules(ofZone file: FilePath, name: String) throws -> ZoneRules? {
        do { return try rules(of: file, name: name) } catch let error as FileError
            where error.code == .notFound || error.code == .notRegularFile
        { return nil }
    }

    /// Nil if there is no such file.
    private static func rules(of file: FilePath, name: String) throws -> ZoneRules? {
        guard let last = file.lastComponent,
            let contents = try OpenDirectory(file.removingLastComponent()).readFile(last, limit: largestFile)
        else { return nil }
        do { return try ZoneRules(name: name, file: contents.contents) } catch {
            throw FileError(
                .invalidData, error.message, path: file,
                cure: "reinstall it with apt install --reinstall tzdata")
        }
    }

    /// Where a name is looked for; nil if it can't be the name of a zone.
    private static func file(named name: String, below directory: FilePath) -> FilePath? {
        let isName = name.utf8.allSatisfy { byte in
            byte.isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || "+-_/".utf8.contains(byte)
        }
        guard isName, !name.isEmpty, name.first != "/", name.last != "/" else { return nil }
        return directory.pushing(FilePath(name))
    }

    /// The name of the zone that a path leads to; nil if it is elsewhere.
    private static func name(below path: FilePath) -> String? {
        var parts = path.components.map(\.string)[...]
        guard let place = parts.lastIndex(of: "zoneinfo") else { return nil }
        parts = parts[(place + 1)...]
        if parts.first == "posix" { parts.removeFirst() }
        return parts.isEmpty ? nil : parts.joined(separator: "/")
    }

    /// The name of the zone that `/etc/localtime` is a link to.
    private static var linkedName: String? {
        get throws {
            let parent = localTime.removingLastComponent()
            guard let last = localTime.lastComponent,
                let target = try OpenDirectory(parent).linkTarget(of: last)
            else { return nil }
            return name(below: target)
        }
    }

    /// The name that `/etc/timezone` has for a zone that is a copy of a file; empty if it has none.
    private static var nameBesideLocalTime: String {
        guard let line = try? OpenDirectory("/etc").readFile("timezone", limit: 4096),
            let copied = try? OpenDirectory("/etc").readFile("localtime", limit: largestFile)
        else { return "" }
        let name = String(decoding: line.contents.prefix { $0 > 0x20 }, as: UTF8.self)
        guard let file = file(named: name, below: directory), let last = file.lastComponent,
            let original = try? OpenDirectory(file.removingLastComponent()).readFile(
                last, limit: largestFile),
            original.contents == copied.contents
        else { return "" }
        return name
    }
}
