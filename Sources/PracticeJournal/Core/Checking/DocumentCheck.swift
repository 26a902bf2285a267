internal import RecordFormat

/// The rules of a document's members and records, each on its own.
///
/// Source: docs/rules.md#practice-journals.
struct DocumentCheck {
    private let root: JSONValue
    private var found = DocumentFindings()

    private init(_ root: JSONValue) { self.root = root }

    static func findings(of root: JSONValue) -> DocumentFindings {
        var check = DocumentCheck(root)
        check.checkTopLevel()
        for array in PracticeArray.allCases { check.check(array) }
        for map in PracticeMap.allCases { check.check(map) }
        for object in PracticeSettingsObject.allCases { check.check(object) }
        return check.found
    }

    private mutating func checkTopLevel() {
        var names: Set<[UInt8]> = []
        for (key, _) in root.members where !names.insert(Array(key)).inserted {
            let path = DocumentPath(String(decoding: key, as: UTF8.self))
            found.add(.keyDuplicate, path, "\(ValueCheck.quoted(key)) appears twice; the last one counts")
        }
        guard let version = root[name: "schemaVersion"], !version.isNull else { return }
        let path = DocumentPath("schemaVersion")
        if let problem = MemberType.integer.problem(of: version) {
            found.add(problem.rule, path, "\(path) \(problem.message)")
        } else if version.number ?? 0 > Double(PracticeDocument.schemaVersion) {
            found.add(
                .journalSchemaNewer, path,
                "\(path) is \(ValueCheck.spelled(version)); this version knows \(PracticeDocument.schemaVersion)"
            )
        }
    }

    private mutating func check(_ array: PracticeArray) {
        guard let list = value(array.name, .array, "an array") else { return }
        let check = ObjectCheck(array.declaration)
        var ids: Set<UUIDText.Value> = []
        ids.reserveCapacity(list.elements.underestimatedCount)
        var otherIDs: Set<[UInt8]> = []
        for (index, record) in list.elements.enumerated() {
            check.check(record, &found) { DocumentPath(array, index, $0) }
            guard let id = record[name: "id"]?.utf8 else { continue }
            let isNew =
                UUIDText.value(of: id).map { ids.insert($0).inserted }
                ?? otherIDs.insert(Array(id)).inserted
            guard !isNew else { continue }
            let path = DocumentPath(array, index, "id")
            found.add(
                .practiceIDDuplicate, path,
                "\(path) is that of an earlier record: \(ValueCheck.quoted(id))")
        }
    }

    private mutating func check(_ map: PracticeMap) {
        guard let object = value(map.name, .object, "an object") else { return }
        var names: Set<[UInt8]> = []
        for (key, value) in object.members {
            let name = String(decoding: key, as: UTF8.self)
            let path = DocumentPath(map.rawValue, nil, name)
            if !names.insert(Array(key)).inserted {
                found.add(
                    .keyDuplicate, path, "\(ValueCheck.quoted(key)) appears twice in \(map.rawValue)")
            }
            if name.isBlank {
                found.add(
                    .practiceMapKeyBlank, path, "a member of \(map.rawValue) has no game id as its name")
            }
            if value.isNull { continue }
            if let problem = map.valueType.problem(of: value) {
                found.add(
                    problem.rule, path, "\(map.rawValue) of \(ValueCheck.quoted(key)) \(problem.message)")
            } else if value.isNegative {
                found.add(
                    .numberNegative, path,
                    "\(map.rawValue) of \(ValueCheck.quoted(key)) is \(ValueCheck.spelled(value)), but must not be negative"
                )
            }
        }
    }

    private mutating func check(_ settings: PracticeSettingsObject) {
        guard let object = value(settings.name, .object, "an object") else { return }
        ObjectCheck(settings.declaration).check(object, &found) {
            DocumentPath(settings.rawValue, nil, $0.map { "\($0)" })
        }
    }

    /// The member of that name, if it has this type; nil if it is missing or `null`.
    private mutating func value(
        _ name: StaticString, _ kind: JSONValue.Kind, _ expected: String
    ) -> JSONValue? {
        guard let value = root[name: name], !value.isNull else { return nil }
        if value.kind == kind { return value }
        found.add(
            .typeMismatch, DocumentPath("\(name)"),
            "\(name) is \(ValueCheck.spelled(value)), but must be \(expected)")
        return nil
    }
}
