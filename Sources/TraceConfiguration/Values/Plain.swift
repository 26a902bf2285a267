internal import TraceText

extension SettingType<Bool> {
    /// `yes` or `no`.
    static var yesOrNo: SettingType {
        .single(
            "`yes` or `no`",
            read: { (text, _) throws(SettingProblem) in
                switch String(decoding: text, as: UTF8.self) {
                case "yes", "true": return true
                case "no", "false": return false
                default:
                    throw SettingProblem(
                        .invalidValue, "\(quoted(text)) is neither yes nor no", cure: "write yes or no")
                }
            }, write: { $0 ? "yes" : "no" })
    }
}

extension SettingType<Int> {
    /// A whole number within a range.
    static func number(_ range: ClosedRange<Int>) -> SettingType {
        let limits = "\(range.lowerBound) to \(range.upperBound)"
        return .single(
            "number, \(limits)",
            read: { (text, _) throws(SettingProblem) in
                guard let number = Int(String(decoding: text, as: UTF8.self)) else {
                    throw SettingProblem(
                        .invalidValue, "\(quoted(text)) is not a whole number", cure: "write \(limits)")
                }
                guard range.contains(number) else {
                    throw SettingProblem(
                        .outOfRange, "\(quoted(text)) is out of range", cure: "write \(limits)")
                }
                return number
            }, write: { "\($0)" })
    }
}

extension SettingType<[String]> {
    /// A list of host names or IP addresses, in lower case, without ports.
    static func hosts(_ what: String) -> SettingType {
        SettingType(
            label: { "list of \(what)" }, isList: true, separator: ",",
            read: { (input) throws(SettingProblem) in
                try input.list { (text) throws(SettingProblem) in
                    let isHost =
                        !text.isEmpty
                        && text.allSatisfy { byte in
                            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                                || ".-:".utf8.contains(byte)
                        }
                    guard isHost else {
                        throw SettingProblem(
                            .invalidValue, "\(quoted(text)) is not a host",
                            cure: "write a name or an IP address without a port, such as trace.example.org")
                    }
                    return String(decoding: text, as: UTF8.self).lowercased()
                }
            }, texts: { $0 })
    }
}

extension SettingType<String?> {
    /// An address of the web, or none, without a slash at its end.
    static var webAddressIfAny: SettingType {
        .single(
            "`http://` or `https://` address",
            read: { (text, _) throws(SettingProblem) in
                let isPlain = text.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}?#".utf8.contains($0) }
                var address = String(decoding: text, as: UTF8.self)
                while address.hasSuffix("/") { address.removeLast() }
                let rest = ["https://", "http://"].lazy.compactMap { scheme in
                    address.hasPrefix(scheme) ? address.dropFirst(scheme.count) : nil
                }.first
                guard isPlain, let rest, !rest.isEmpty, !rest.hasPrefix("/") else {
                    throw SettingProblem(
                        .invalidValue, "\(quoted(text)) is not an address of the web",
                        cure: "write it like https://trace.example.org")
                }
                return address
            }, write: { $0 ?? "" })
    }
}
