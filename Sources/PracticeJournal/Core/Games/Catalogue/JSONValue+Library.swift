internal import RecordFormat

extension JSONValue {
    /// The first of these members that is a text and not blank, without white space at its ends.
    func text(_ names: StaticString...) -> String? {
        for name in names {
            if let text = self[name: name]?.string?.trimmedOrNil { return text }
        }
        return nil
    }

    /// As ``text(_:)``; the words by which the newest app's files say that there is nothing are nothing, too.
    func said(_ name: StaticString) -> String? {
        guard let text = text(name), !["null", "none"].contains(text.lowercased()) else { return nil }
        return text
    }

    func integer(_ names: StaticString...) -> Int? {
        for name in names {
            if let number = self[name: name]?.integer { return Int(clamping: number) }
        }
        return nil
    }

    /// The first of these members that is an address on the web. Others, such as `javascript:`, are not handed on.
    func url(_ names: StaticString...) -> String? {
        for name in names {
            guard let text = self[name: name]?.string?.trimmedOrNil else { continue }
            let scheme = text.prefix { $0 != ":" }.lowercased()
            if ["http", "https"].contains(scheme), text.dropFirst(scheme.count).hasPrefix("://") {
                return text
            }
        }
        return nil
    }

    /// The first of these members that is a path in the cache.
    func file(_ names: StaticString...) -> String? {
        for name in names {
            if let path = self[name: name]?.string.flatMap(CachePath.init) { return path.text }
        }
        return nil
    }

    /// What is in the first of these members that is an array.
    func list(_ names: StaticString...) -> [JSONValue] { list(names) }

    /// The texts of an array that are not blank, as ``list(_:)``.
    func texts(_ names: StaticString...) -> [String] { list(names).compactMap { $0.string?.trimmedOrNil } }

    private func list(_ names: [StaticString]) -> [JSONValue] {
        for name in names {
            if let list = self[name: name], list.kind == .array { return Array(list.elements) }
        }
        return []
    }

    /// The records of one of the newest app's files; none of anything else.
    var records: [JSONValue] {
        (kind == .array ? Array(elements) : list("records")).filter { $0.kind == .object }
    }
}
