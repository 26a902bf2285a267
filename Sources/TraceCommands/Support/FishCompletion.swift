internal import ArgumentParser
internal import RecordFormat
internal import TraceText

/// The completion script for fish.
///
/// The parser has one, whose conditions fish asks one after the other, for every argument of every command: `trace marker edit <Tab>` took 4.7 s
/// of a processor. This one walks along the words once, to the command that is meant, and offers what that takes.
struct FishCompletion {
    private let commands: [Command]

    /// - Returns: The script; nil where it is not what the command line asks for.
    static func script(_ arguments: [String]) -> String? {
        let option = "--generate-completion-script"
        guard arguments == [option, "fish"] || arguments == ["\(option)=fish"] else { return nil }
        return FishCompletion()?.text
    }

    /// What the parser says of all commands.
    ///
    /// Source: the parser's option for it, whose JSON is meant for other programs.
    private init?() {
        let dump: String
        do {
            _ = try TraceCommand.parseAsRoot(["--experimental-dump-help"])
            return nil
        } catch { dump = TraceCommand.fullMessage(for: error) }
        let read = try? JSONParser().withParsed(Array(dump.utf8)) { root in
            root[name: "command"].map { Command.all($0, above: []) }
        }
        guard let commands = read ?? nil else { return nil }
        self.commands = commands
    }

    // MARK: - What there is

    private struct Command {
        /// How it is typed, `trace` before it.
        let words: [String]
        let abstract: String
        /// The names of those below it.
        var below: [(name: String, abstract: String)] = []
        /// The one that is meant where none of them is named.
        let standard: String?
        let arguments: [Argument]

        /// A command and all below it.
        static func all(_ value: JSONValue, above: [String]) -> [Command] {
            let name = value[name: "commandName"]?.string ?? ""
            var command = Command(
                words: above + [name], abstract: value[name: "abstract"]?.string ?? "",
                standard: value[name: "defaultSubcommand"]?.string,
                arguments: Argument.all(value[name: "arguments"]))
            var others: [Command] = []
            for other in value[name: "subcommands"].map({ Array($0.elements) }) ?? []
            where other[name: "shouldDisplay"]?.boolean != false {
                let all = all(other, above: command.words)
                if let first = all.first { command.below.append((first.words.last ?? "", first.abstract)) }
                others += all
            }
            return [command] + others
        }

        var path: String { words.joined(separator: " ") }
        var options: [Argument] { arguments.filter { !$0.names.isEmpty } }
        var positionals: [Argument] { arguments.filter { $0.names.isEmpty } }
    }

    private struct Argument {
        /// With their hyphens; none of what is recognised by its place.
        let names: [String]
        let takesValue: Bool
        let isRepeated: Bool
        let abstract: String
        /// The commands that print what may be typed; nil if nobody knows.
        let values: String?

        static func all(_ list: JSONValue?) -> [Argument] {
            var place = -1
            return (list.map { Array($0.elements) } ?? []).compactMap { value in
                let kind = value[name: "kind"]?.string
                if kind == "positional" { place += 1 }
                guard value[name: "shouldDisplay"]?.boolean != false else { return nil }
                let names = (value[name: "names"].map { Array($0.elements) } ?? []).compactMap {
                    Self.name($0)
                }
                let own = value[name: "preferredName"].flatMap { Self.name($0) } ?? "positional@\(place)"
                return Argument(
                    names: names, takesValue: kind == "option",
                    isRepeated: value[name: "isRepeating"]?.boolean == true,
                    abstract: value[name: "abstract"]?.string ?? "",
                    values: value[name: "completionKind"].flatMap { Self.values($0, of: own) })
            }
        }

        private static func name(_ value: JSONValue) -> String? {
            value[name: "name"]?.string.map { (value[name: "kind"]?.string == "long" ? "--" : "-") + $0 }
        }

        private static func values(_ kind: JSONValue, of name: String) -> String? {
            if let words = kind[name: "list"]?[name: "values"] {
                return "printf '%s\\n' "
                    + words.elements.compactMap { $0.string?.inFish }.joined(separator: " ")
            }
            if kind[name: "file"] != nil { return "__fish_complete_path $value" }
            if kind[name: "directory"] != nil { return "__fish_complete_directories $value ''" }
            return kind[name: "custom"] != nil ? "__trace_ask $path \(name.inFish)" : nil
        }
    }

    // MARK: - The script

    private var text: String {
        let common = commands.first?.options.map(line) ?? []
        let cases = commands.map { command -> String in
            var lines = ["        case \(command.path.inFish)"]
            func set(_ variable: String, _ words: [String]) {
                lines.append("            set \(([variable] + words).joined(separator: " "))")
            }
            set("commands", command.below.map(\.name.inFish))
            set("words", command.below.map { described($0.name, $0.abstract) })
            set("standard", command.standard.map { [$0.inFish] } ?? [])
            set("valued", command.options.filter(\.takesValue).flatMap { $0.names.map(\.inFish) })
            let options = command.options.map(line)
            let isWhole = options.count > common.count && Array(options.suffix(common.count)) == common
            let own = isWhole ? options.dropLast(common.count) + ["$common"] : options
            set("options", Array(own))
            return lines.joined(separator: "\n")
        }
        return """
            # Completions of trace for fish: what may be typed next, found by one walk along the words.

            function __trace_at -S
                switch $path
            \(cases.joined(separator: "\n"))
                end
            end

            function __trace_values -a path key value
                switch "$path $key"
            \(valueCases)
                end
            end

            function __trace_ask
                set -lx SAP_SHELL fish
                set -lx SAP_SHELL_VERSION $FISH_VERSION
                set -l words (commandline -opc)
                set -l current (commandline -ct)
                set -l path (string split ' ' -- $argv[1])
                set -e path[1]
                command $words[1] ---completion $path -- $argv[2] (count $words) (string length -- "$current") $words "$current"
            end

            function __trace_complete
                set -l common \(common.joined(separator: " "))
                set -l typed (commandline -opc)
                set -l current (commandline -ct)
                set -e typed[1]
                set -l path trace
                set -l commands
                set -l words
                set -l standard
                set -l valued
                set -l options
                set -l place 1
                set -l option
                set -l ended
                __trace_at
                for word in $typed
                    if set -q option[1]
                        set option
                    else if not set -q ended[1]; and string match -qr -- '^-.' $word
                        if set -q standard[1]
                            set path "$path $standard"
                            __trace_at
                        end
                        if test "$word" = --
                            set ended yes
                        else if contains -- $word $valued
                            set option $word
                        end
                    else if contains -- $word $commands
                        set path "$path $word"
                        __trace_at
                    else
                        if set -q standard[1]
                            set path "$path $standard"
                            __trace_at
                        end
                        set place (math $place + 1)
                    end
                end
                if set -q standard[1]; and string match -q -- '-*' "$current"
                    set path "$path $standard"
                    __trace_at
                end
                if set -q option[1]
                    __trace_values $path $option "$current"
                else if set -q ended[1]
                    __trace_values $path @$place "$current"
                else if string match -qr -- '^--[^=]+=' "$current"
                    set -l parts (string split -m 1 = -- $current)
                    string replace -r '^' -- "$parts[1]=" (__trace_values $path $parts[1] "$parts[2]")
                else if string match -q -- '-*' "$current"
                    printf '%s\\n' $options
                else
                    set -l found $words
                    set -q standard[1]; and test $place = 1; and set -a found (__trace_values "$path $standard" @1 "$current")
                    set -a found (__trace_values $path @$place "$current")
                    set -q found[1]; or set found $options
                    printf '%s\\n' $found
                end
            end

            complete -c trace -f -k -a '(__trace_complete)'
            """
    }

    /// The values of all arguments, those that have the same together.
    private var valueCases: String {
        var places: [(values: String, places: [String])] = []
        func add(_ place: String, _ values: String) {
            if let index = places.firstIndex(where: { $0.values == values }) {
                places[index].places.append(place.inFish)
            } else {
                places.append((values, [place.inFish]))
            }
        }
        for command in commands {
            for option in command.options {
                guard let values = option.values else { continue }
                for name in option.names { add("\(command.path) \(name)", values) }
            }
            for (index, word) in command.positionals.enumerated() {
                guard let values = word.values else { continue }
                add("\(command.path) @\(word.isRepeated ? "*" : "\(index + 1)")", values)
            }
        }
        return places.map { "        case \($0.places.joined(separator: " "))\n            \($0.values)" }
            .joined(separator: "\n")
    }

    private func line(_ option: Argument) -> String {
        // The longest name says most.
        described(option.names.max { $0.utf8.count < $1.utf8.count } ?? "", option.abstract)
    }

    private func described(_ word: String, _ about: String) -> String {
        about.isEmpty ? word.inFish : "\(word.inFish)\\t\(about.oneLine.inFish)"
    }
}

extension String {
    /// As one word of a script for fish.
    fileprivate var inFish: String {
        if !isEmpty,
            utf8.allSatisfy({
                $0.isASCIIDigit || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
            })
        {
            return self
        }
        return "'" + replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
