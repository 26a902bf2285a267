internal import TraceText

extension SettingType<String?> {
    /// The name of a time zone, or none. Only its form is looked at: which zones there are the machine knows.
    static var zoneIfAny: SettingType {
        .single(
            "IANA time zone",
            read: { (text, _) throws(SettingProblem) in
                let isName = text.allSatisfy { byte in
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || "+-_/".utf8.contains(byte)
                }
                guard isName, let first = text.first, first != UInt8(ascii: "/") else {
                    throw SettingProblem(
                        .invalidValue, "\(quoted(text)) is not the name of a time zone",
                        cure: "write it like Europe/Berlin or UTC; 'timedatectl list-timezones' lists all")
                }
                return String(decoding: text, as: UTF8.self)
            }, write: { $0 ?? "" })
    }
}
