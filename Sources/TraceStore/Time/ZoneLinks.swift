internal import SystemPackage
internal import TraceFiles

/// The names that a zone has besides the one that it is asked for by: what it is called now, or what it was called before.
enum ZoneLinks {
    /// What the zone with a name may be found by instead, the most exact first.
    ///
    /// - Parameter directory: Where the files of the zones are, and `tzdata.zi` beside them.
    static func names(of name: String, below directory: FilePath) -> [String] {
        let now = renamed.filter { $0.old == name }.map(\.new)
        let before = renamed.filter { $0.new == name }.map(\.old)
        return now + before + [target(of: name, below: directory)].compactMap(\.self)
    }

    /// What the zone with an old name is called now; nil for a name that is not an old one.
    static func newName(of name: String, below directory: FilePath) -> String? {
        renamed.first { $0.old == name }?.new ?? target(of: name, below: directory)
    }

    /// More than it has had in any release.
    private static let largestFile: Int64 = 4 << 20

    /// Where the link of a name leads; links of links are resolved in the file.
    ///
    /// Source: the lines `L` of `tzdata.zi`, in the format of zic(8), "FILES".
    private static func target(of name: String, below directory: FilePath) -> String? {
        let file = try? OpenDirectory(directory).readFile("tzdata.zi", limit: largestFile)
        for line in (file?.contents ?? []).split(separator: UInt8(ascii: "\n"))
        where line.first == UInt8(ascii: "L") {
            let words = line.split(separator: UInt8(ascii: " "))
            if words.count == 3, words[2].elementsEqual(name.utf8) {
                return String(decoding: words[1], as: UTF8.self)
            }
        }
        return nil
    }

    /// The zones whose old names browsers send to this day, and what they are called now: for systems without `tzdata.zi`, and for
    /// those whose files are older than the new name. They come before the links, which lead some of them to a neighbour with
    /// the same clocks since 1970.
    ///
    /// Source: the Unicode Common Locale Data Repository, `common/bcp47/timezone.xml`: the types whose first name is not that of
    /// their attribute `iana`.
    private static let renamed: [(old: String, new: String)] = [
        ("Africa/Asmera", "Africa/Asmara"),
        ("America/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ("America/Catamarca", "America/Argentina/Catamarca"),
        ("America/Coral_Harbour", "America/Atikokan"),
        ("America/Cordoba", "America/Argentina/Cordoba"),
        ("America/Godthab", "America/Nuuk"),
        ("America/Indianapolis", "America/Indiana/Indianapolis"),
        ("America/Jujuy", "America/Argentina/Jujuy"),
        ("America/Louisville", "America/Kentucky/Louisville"),
        ("America/Mendoza", "America/Argentina/Mendoza"),
        ("Asia/Calcutta", "Asia/Kolkata"),
        ("Asia/Katmandu", "Asia/Kathmandu"),
        ("Asia/Rangoon", "Asia/Yangon"),
        ("Asia/Saigon", "Asia/Ho_Chi_Minh"),
        ("Atlantic/Faeroe", "Atlantic/Faroe"),
        ("Europe/Kiev", "Europe/Kyiv"),
        ("Pacific/Enderbury", "Pacific/Kanton"),
        ("Pacific/Ponape", "Pacific/Pohnpei"),
        ("Pacific/Truk", "Pacific/Chuuk"),
    ]
}
