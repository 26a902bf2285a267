internal import RecordFormat

extension SyncState {
    /// What a write of ours says.
    ///
    /// Changes of a record without an id are not in it: they are found when the document is compared with the state.
    ///
    /// - Parameter changes: The array that ``DocumentChange/json(in:)`` has written.
    init(changes: SpelledJSON, stamp: SyncStamp) {
        self.init()
        for entry in changes.elements {
            let members = Dictionary(entry.members.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
            let registers = entry.changedMembers.map { name, value in
                (name: name, register: Register(stamp: stamp, text: value?.text))
            }
            if let object = members["object"]?.string {
                if members["removed"]?.isTrue == true {
                    withdraw(object, (members["names"]?.elements ?? []).compactMap(\.string), stamp)
                    continue
                }
                for (name, register) in registers {
                    if object.isEmpty { say(register, of: name) } else { say(register, of: name, in: object) }
                }
                continue
            }
            if let order = members["order"] {
                self.order(groups: Register(stamp: stamp, text: order.text))
                continue
            }
            guard let array = members["array"]?.string.flatMap(PracticeArray.init),
                let id = members["id"]?.string
            else { continue }
            let key = UUIDText.key(id)
            if let added = members["added"] {
                for member in added.members {
                    say(Register(stamp: stamp, text: member.value.text), of: member.name, in: key, array)
                }
            }
            for (name, register) in registers { say(register, of: name, in: key, array) }
            if members["removed"]?.isTrue == true { remove(key, of: array, stamp) }
        }
    }

    /// Says that an array or object is gone, and what was in it.
    ///
    /// - Parameter names: The ids of its records, or the names of its members.
    private mutating func withdraw(_ name: String, _ names: [String], _ stamp: SyncStamp) {
        let array = PracticeArray(rawValue: name)
        for one in names {
            if let array {
                remove(UUIDText.key(one), of: array, stamp)
            } else {
                say(Register(stamp: stamp, text: nil), of: one, in: name)
            }
        }
    }
}
