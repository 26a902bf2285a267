package import RecordFormat
internal import SystemPackage
internal import TraceText

/// The name that a device goes by when it exchanges its document: a directory is called by it, and stamps bear it.
package struct DeviceName: Sendable, Hashable, CustomStringConvertible {
    package let description: String
    let component: FilePath.Component

    /// - Throws: ``FormatError`` with `.recordInvalid` for a name that none may have.
    package init(_ name: String) throws(FormatError) {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isPlain, (1...64).contains(name.utf8.count), name.first != ".", !name.hasSuffix(".json"),
            let component = FilePath.Component(name)
        else {
            throw FormatError(
                .recordInvalid, "the name of the device is malformed",
                cure:
                    "use 1 to 64 letters, digits, '-', '_' and '.', not beginning with '.' or ending in '.json', such as phone"
            )
        }
        guard name != SyncStamp.ownDevice, name != SyncStamp.documentDevice else {
            throw FormatError(
                .recordInvalid, "'\(name)' is not the name of a device",
                cure: "give another name, such as phone"
            )
        }
        description = name
        self.component = component
    }

    /// Programs that write the journal's document in its place without saying who they are; no device may call itself so.
    static let document = DeviceName(description: SyncStamp.documentDevice, component: "document")

    private init(description: String, component: FilePath.Component) {
        self.description = description
        self.component = component
    }
}
