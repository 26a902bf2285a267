/// What to do about a problem: one way or several, of which each surface tells those that its users have, in its own words.
///
/// Written as text with the names of things in it, several ways as an array:
///
/// ```swift
/// ["give one of them with \(option: "session")", "\(verb: "sessions") lists the sessions"]
/// ```
public struct Cure: Sendable, Hashable {
    /// A piece of a way.
    public enum Part: Sendable, Hashable {
        /// Words that anybody can use.
        case text(String)
        /// A command with its arguments, without the program's name: `queue list --all`.
        case verb(String)
        /// An option of commands, without its dashes; a parameter of the requests that have one of that name.
        case option(String)
        /// A key of the configuration.
        case setting(String)
        /// A request: `GET /api/v1/queue`.
        case route(String)
    }

    /// What can be done by itself, as an instruction without a trailing period.
    public struct Way: Sendable, Hashable {
        /// Who can do it.
        enum Audience: Sendable { case commandLine, network }

        /// The pieces, in their order.
        public private(set) var parts: [Part]
        /// Who is shown it; nil if the names in it decide that.
        private(set) var audience: Audience?

        /// What only clients of the API get, whatever it names.
        public static func overHTTP(_ way: Way) -> Way { told(way, .network) }

        /// What only people at the machine get, whatever it names.
        public static func atMachine(_ way: Way) -> Way { told(way, .commandLine) }

        private static func told(_ way: Way, _ audience: Audience) -> Way {
            var way = way
            way.audience = audience
            return way
        }

        static func + (one: Way, more: Way) -> Way {
            var way = one
            way.parts += more.parts
            return way
        }
    }

    /// Most cures are mere words, of which there are hundreds from the start: they take no memory of their own.
    private enum Content: Sendable, Hashable {
        case words(String)
        case ways([Way])
    }

    private let content: Content

    /// What can be done, each by itself.
    public var ways: [Way] {
        switch content {
        case .words(let text): [Way(stringLiteral: text)]
        case .ways(let ways): ways
        }
    }

    /// The cure of one way, in words that anybody can use.
    public init(_ text: String) { content = .words(text) }

    private init(_ ways: [Way]) {
        // Equal cures are so however they were written.
        if ways.count == 1, ways[0].audience == nil, ways[0].parts.count == 1,
            case .text(let text) = ways[0].parts[0]
        {
            content = .words(text)
        } else {
            content = .ways(ways)
        }
    }

    /// The cure with words behind its last way.
    public static func + (cure: Cure, more: Way) -> Cure {
        var ways = cure.ways
        let last = ways.popLast()
        ways.append(last.map { $0 + more } ?? more)
        return Cure(ways)
    }
}

// MARK: - As each surface tells it

extension Cure {
    /// As people read it who can type commands; nil if there is nothing for them.
    public var text: String? {
        let told = ways.compactMap { way -> String? in
            guard way.audience != .network else { return nil }
            return way.text { part in
                switch part {
                case .text(let text), .setting(let text): text
                case .verb(let verb): "'trace \(verb)'"
                case .option(let name): "--\(name)"
                case .route(let route): way.audience == nil ? nil : route
                }
            }
        }
        return told.isEmpty ? nil : told.joined(separator: "; ")
    }

    /// As a client of the API reads it, who has no commands; nil if there is nothing for it.
    ///
    /// - Parameter parameters: The options that are parameters of its request.
    public func text(overHTTPWith parameters: Set<String> = []) -> String? {
        let told = ways.compactMap { way -> String? in
            guard way.audience != .commandLine else { return nil }
            return way.text { part in
                switch part {
                case .text(let text), .setting(let text), .route(let text): text
                case .verb(let verb): way.audience == nil ? nil : "'trace \(verb)'"
                case .option(let name): parameters.contains(name) ? "'\(name)'" : nil
                }
            }
        }
        return told.isEmpty ? nil : told.joined(separator: "; ")
    }
}

extension Cure.Way {
    /// The way in words; nil if one of its pieces has none.
    fileprivate func text(_ words: (Cure.Part) -> String?) -> String? {
        var text = ""
        for part in parts {
            guard let word = words(part) else { return nil }
            text += word
        }
        return text
    }
}

// MARK: - As it is written

extension Cure.Way: ExpressibleByStringInterpolation {
    /// Collects the pieces.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Cure.Part] = []

        /// Nothing yet.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        private mutating func append(_ text: String) {
            guard !text.isEmpty else { return }
            if case .text(let before)? = parts.last {
                parts[parts.count - 1] = .text(before + text)
            } else {
                parts.append(.text(text))
            }
        }

        /// Words.
        public mutating func appendLiteral(_ literal: String) { append(literal) }
        /// A value in words.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append("\(value)")
        }
        /// A command: ``Cure/Part/verb(_:)``.
        public mutating func appendInterpolation(verb: String) { parts.append(.verb(verb)) }
        /// An option or parameter: ``Cure/Part/option(_:)``.
        public mutating func appendInterpolation(option: String) { parts.append(.option(option)) }
        /// A key of the configuration: ``Cure/Part/setting(_:)``.
        public mutating func appendInterpolation(setting: String) { parts.append(.setting(setting)) }
        /// A request: ``Cure/Part/route(_:)``.
        public mutating func appendInterpolation(route: String) { parts.append(.route(route)) }
    }

    /// Words that anybody can use.
    public init(stringLiteral text: String) { self.init(parts: text.isEmpty ? [] : [.text(text)]) }

    /// Words with names in them.
    public init(stringInterpolation: StringInterpolation) { self.init(parts: stringInterpolation.parts) }

    private init(parts: [Cure.Part]) {
        self.parts = parts
        audience = nil
    }
}

extension Cure: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral {
    /// One way, in words that anybody can use.
    public init(stringLiteral text: String) { self.init(text) }
    /// One way, in words with names in them.
    public init(stringInterpolation: Way.StringInterpolation) {
        self.init([Way(stringInterpolation: stringInterpolation)])
    }
    /// Several ways.
    public init(arrayLiteral ways: Way...) { self.init(ways) }
}
