internal import RecordFormat
internal import SystemPackage

/// A document of a device that was refused, because most is gone from it; `replicas/refused.json` lists them by device.
///
/// Source: docs/spec/practice.md#an-emptied-document.
struct RefusedReplica: Equatable {
    static let file: FilePath.Component = "refused.json"
    static let path = "replicas/refused.json"

    /// SHA-256 of it, in hexadecimal digits.
    let checksum: String
    /// Of what the device had before.
    let base: String
    /// When the device wrote it.
    let written: Timestamp

    static func text(_ list: [DeviceName: RefusedReplica]) -> [UInt8] {
        let text = JSONText.object { object in
            for (device, refused) in list.sorted(by: { $0.key.description < $1.key.description }) {
                object.member(
                    device.description,
                    .object { object in
                        object.member("sha256", refused.checksum)
                        object.member("base", refused.base)
                        object.member("written_at", refused.written)
                    })
            }
        }
        return text.bytes + [0x0A]
    }

    /// Nil if the text is not such a list.
    static func list(_ text: [UInt8]) -> [DeviceName: RefusedReplica]? {
        let list = try? JSONParser().withParsed(text) { root -> [DeviceName: RefusedReplica]? in
            guard root.kind == .object else { return nil }
            var list: [DeviceName: RefusedReplica] = [:]
            for (name, value) in root.members {
                guard let device = try? DeviceName(String(decoding: name, as: UTF8.self)),
                    let checksum = value[name: "sha256"]?.string, let base = value[name: "base"]?.string,
                    let written = value[name: "written_at"]?.timestamp
                else { return nil }
                list[device] = RefusedReplica(checksum: checksum, base: base, written: written)
            }
            return list
        }
        return list ?? nil
    }

    /// One for each document that a list names.
    static func findings(_ text: [UInt8]) -> [Finding] {
        let place = Finding.Place(file: path)
        guard let list = list(text) else {
            return [Finding(.jsonSyntax, at: place, "the list of refused documents can't be read")]
        }
        return list.keys.sorted { $0.description < $1.description }.map { device in
            Finding(.practiceReplicaEmptied, at: place, "most is gone from the document of '\(device)'")
        }
    }
}
