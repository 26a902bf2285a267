internal import RecordFormat

extension PracticeDocument {
    /// What gives members of a settings object these values.
    ///
    /// An app reads an object as a whole: where it is not there, what an app requires of it comes with the first member.
    func settingChanges(
        of object: PracticeSettingsObject, _ members: [DocumentChange.MemberChange]
    ) -> [DocumentChange.MemberChange] {
        guard !members.isEmpty, !has(object) else { return members }
        let given = Set(members.lazy.map(\.member))
        return object.defaults.filter { !given.contains($0.name) }.map {
            .init(object.rawValue, $0.name, $0.value, isImplied: true)
        } + members
    }

    private func has(_ object: PracticeSettingsObject) -> Bool {
        outline.member(object.rawValue).map { bytes[$0.valueRange.lowerBound] == UInt8(ascii: "{") } ?? false
    }
}
