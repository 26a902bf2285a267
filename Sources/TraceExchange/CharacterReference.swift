/// The character references of HTML: numbers, and the names that texts are likely to have.
///
/// Source: WHATWG, "HTML", "Numeric character reference end state" and "Named character references".
enum CharacterReference {
    /// The reference that a text begins with, and how many bytes it has.
    ///
    /// - Parameter text: Begins with `&`.
    static func first(in text: Substring) -> (character: String, length: Int)? {
        let behind = text.utf8.dropFirst()
        if behind.first == UInt8(ascii: "#") { return number(in: behind.dropFirst()) }
        let name = behind.prefix { isLetterOrDigit($0) }
        guard !name.isEmpty else { return nil }
        let isClosed = behind.dropFirst(name.count).first == UInt8(ascii: ";")
        if isClosed, let character = named[String(Substring(name))] { return (character, name.count + 2) }
        // Some old names need no semicolon, whatever comes behind them.
        for length in stride(from: min(name.count, longestOldName), through: 2, by: -1) {
            if let character = old[String(Substring(name.prefix(length)))] { return (character, length + 1) }
        }
        return nil
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// `9835;`, `x266B`: what is behind `&#`.
    private static func number(in text: Substring.UTF8View.SubSequence) -> (character: String, length: Int)? {
        let isHexadecimal = text.first == UInt8(ascii: "x") || text.first == UInt8(ascii: "X")
        let rest = text.dropFirst(isHexadecimal ? 1 : 0)
        let digits = String(
            Substring(
                rest.prefix {
                    isLetterOrDigit($0)
                        && Character(UnicodeScalar($0)).hexDigitValue ?? 16 < (isHexadecimal ? 16 : 10)
                }))
        guard !digits.isEmpty else { return nil }
        let isClosed = rest.dropFirst(digits.utf8.count).first == UInt8(ascii: ";")
        let length = 2 + (isHexadecimal ? 1 : 0) + digits.utf8.count + (isClosed ? 1 : 0)
        let code = UInt32(digits, radix: isHexadecimal ? 16 : 10) ?? .max
        if (0x80...0x9F).contains(code) { return (windows[Int(code) - 0x80], length) }
        let scalar = code == 0 ? nil : UnicodeScalar(code)
        return (scalar.map { String($0) } ?? "\u{FFFD}", length)
    }

    /// What numbers from 128 to 159 mean: those of Windows-1252, where it has a character.
    private static let windows: [String] = {
        let characters = Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
        return characters.map { String($0) }
    }()

    /// Those from U+00A0 to U+00FF, in their order.
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para \
        middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute \
        Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute \
        THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde \
        ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """

    /// The names that need no semicolon.
    private static let old: [String: String] = {
        var names = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "AMP": "&", "LT": "<", "GT": ">", "QUOT": "\"",
        ]
        for (number, name) in latin.split(separator: " ").enumerated() {
            names[String(name)] = UnicodeScalar(UInt32(0xA0 + number)).map { String($0) }
        }
        return names
    }()

    private static let longestOldName = 6

    /// All names that are known.
    private static let named: [String: String] = old.merging([
        "apos": "'", "hellip": "…", "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "sbquo": "‚",
        "ldquo": "“",
        "rdquo": "”", "bdquo": "„", "lsaquo": "‹", "rsaquo": "›", "bull": "•", "dagger": "†", "Dagger": "‡",
        "permil": "‰",
        "prime": "′", "Prime": "″", "euro": "€", "trade": "™", "lrm": "\u{200E}", "rlm": "\u{200F}",
        "zwj": "\u{200D}",
        "zwnj": "\u{200C}", "ensp": "\u{2002}", "emsp": "\u{2003}", "thinsp": "\u{2009}", "larr": "←",
        "uarr": "↑",
        "rarr": "→", "darr": "↓", "harr": "↔", "rArr": "⇒", "minus": "−", "infin": "∞", "ne": "≠", "le": "≤",
        "ge": "≥",
        "asymp": "≈", "radic": "√", "sum": "∑", "spades": "♠", "clubs": "♣", "hearts": "♥", "diams": "♦",
        "loz": "◊",
        "flat": "♭", "sharp": "♯", "natural": "♮", "sung": "♪", "star": "☆", "starf": "★", "check": "✓",
        "cross": "✗",
        "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ", "fnof": "ƒ", "circ": "ˆ",
        "tilde": "˜",
        "ccaron": "č", "Ccaron": "Č", "rcaron": "ř", "zcaron": "ž", "Zcaron": "Ž", "ecaron": "ě",
        "lstrok": "ł",
        "Lstrok": "Ł", "aogon": "ą", "eogon": "ę", "sacute": "ś", "zacute": "ź", "cacute": "ć", "nacute": "ń",
        "zdot": "ż",
        "gbreve": "ğ", "Gbreve": "Ğ", "scedil": "ş", "inodot": "ı", "Idot": "İ", "odblac": "ő", "udblac": "ű",
        "alpha": "α",
        "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "lambda": "λ", "mu": "μ", "pi": "π",
        "sigma": "σ",
        "Sigma": "Σ", "phi": "φ", "Phi": "Φ", "omega": "ω", "Omega": "Ω", "num": "#", "commat": "@",
        "lbrack": "[",
        "rbrack": "]", "lpar": "(", "rpar": ")", "lbrace": "{", "rbrace": "}", "sol": "/", "bsol": "\\",
        "colon": ":",
        "semi": ";", "comma": ",", "period": ".", "excl": "!", "quest": "?", "dollar": "$", "percnt": "%",
        "ast": "*",
        "plus": "+", "equals": "=", "lowbar": "_", "hyphen": "‐", "dash": "‐", "horbar": "―", "vert": "|",
        "grave": "`",
        "Tab": "\t", "NewLine": "\n",
    ]) { $1 }
}
