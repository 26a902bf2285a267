internal import RecordFormat

/// Rewrites options whose value may begin with a hyphen, such as `-10s`, or be empty.
///
/// The parser looks for options in everything that begins with a hyphen, even in a value, if one of the commands above the verb
/// has an option of such a letter; and it doesn't take nothing for a value. So they are written for it in the one way that it
/// can't misread.
enum OptionValueNormalizer {
    private static let options = [
        "--offset", "--offset-min", "--offset-max", "--duration", "--label", "--note", "--text", "--title",
        "--tag", "--untag", "--since", "--until", "--within",
        "--device", "--media", "--media-file", "--marker-id", "--voice-note-id",
        "--file", "--kind", "--mime", "--source",
    ]

    static func normalize(_ arguments: [String]) -> [String] {
        var normalized: [String] = []
        var rest = arguments[...]
        // `mark -5s`: no option begins with a digit.
        let mayBeOffset =
            isMark(arguments) && !arguments.contains { $0 == "--offset" || $0.hasPrefix("--offset=") }
        while let argument = rest.popFirst() {
            if argument == "--" { return normalized + [argument] + rest }
            if argument.last == "=", options.contains(String(argument.dropLast())) {
                normalized += [String(argument.dropLast()), ""]
            } else if options.contains(argument), let value = rest.first, value.first == "-" {
                normalized.append("\(argument)=\(value)")
                rest.removeFirst()
            } else if mayBeOffset, argument.first == "-",
                argument.dropFirst().utf8.first?.isASCIIDigit == true
            {
                normalized.append("--offset=\(argument)")
            } else {
                normalized.append(argument)
            }
        }
        return normalized
    }

    /// Whether the verb is that of marking.
    private static func isMark(_ arguments: [String]) -> Bool {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if valued.contains(argument) {
                _ = rest.popFirst()
            } else if argument.first != "-" {
                return argument == "mark"
            }
        }
        return false
    }

    /// Options of every command that have a value.
    private static let valued = ["-s", "--session", "--config", "--root", "--state-directory", "--color"]
}
