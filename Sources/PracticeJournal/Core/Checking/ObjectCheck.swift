internal import RecordFormat

/// Checks the members of one object after another against their declaration.
struct ObjectCheck {
    private let declaration: [MemberDeclaration]

    init(_ declaration: [MemberDeclaration]) { self.declaration = declaration }

    /// - Parameter path: Of the object, or of a member of it.
    func check(
        _ object: JSONValue, _ found: inout DocumentFindings, _ path: (StaticString?) -> DocumentPath
    ) {
        guard object.kind == .object else {
            let path = path(nil)
            found.add(.typeMismatch, path, "\(path) is \(ValueCheck.spelled(object)), but must be an object")
            return
        }
        var seen = 0
        var strangers: Set<[UInt8]> = []
        for (key, value) in object.members {
            guard let number = declaration.firstIndex(where: { key.equals($0.name) }) else {
                // What schema 4 does not have is kept, and is no finding.
                if !strangers.insert(Array(key)).inserted {
                    let path = path(nil)
                    found.add(.keyDuplicate, path, "\(ValueCheck.quoted(key)) appears twice in \(path)")
                }
                continue
            }
            let member = declaration[number]
            if seen & 1 << number != 0 {
                let path = path(member.name)
                found.add(.keyDuplicate, path, "\(path) appears twice")
            }
            if !value.isNull { seen |= 1 << number }
            if !value.isNull, let problem = member.type.problem(of: value) {
                let path = path(member.name)
                found.add(problem.rule, path, "\(path) \(problem.message)")
            }
        }
        for (number, member) in declaration.enumerated() where member.isRequired && seen & 1 << number == 0 {
            let path = path(nil)
            found.add(.keyMissing, path, "\(path) has no \(member.name)")
        }
    }
}
