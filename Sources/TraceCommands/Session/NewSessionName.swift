internal import Glibc
internal import SystemPackage
internal import TraceFormat
internal import TraceStore

/// What the directory of a session is called that nobody has named: its local date and its title, `2026-02-04-late-set`.
struct NewSessionName {
    private let name: String

    init(title: String, date: Timestamp) {
        let words = Self.words(of: title)
        name = "\(Self.localDay(of: date))-\(words.isEmpty ? "session" : words)"
    }

    /// The name, or with a number behind it where that is taken: `2026-02-04-late-set-2`.
    subscript(number: Int) -> FilePath.Component? {
        FilePath.Component(number > 1 ? "\(name)-\(number)" : name)
    }

    /// No longer than this in bytes, so that there is room for what sync tools add.
    private static let limit = 120

    /// The letters and digits of a title in lower case, with hyphens between its words.
    private static func words(of title: String) -> String {
        var words = ""
        for character in title.lowercased() where character != "'" && character != "’" {
            if character.isLetter || character.isNumber {
                words.append(character)
            } else if words.last != "-" {
                words.append("-")
            }
            if words.utf8.count > limit {
                words.removeLast()
                break
            }
        }
        return words.split(separator: "-").joined(separator: "-")
    }

    private static func localDay(of moment: Timestamp) -> String {
        var seconds = time_t(moment.milliseconds / 1000)
        var fields = tm()
        localtime_r(&seconds, &fields)
        // What the local clock shows, as if it were UTC.
        return String(Timestamp(milliseconds: Int64(timegm(&fields)) * 1000).description.prefix(10))
    }
}
