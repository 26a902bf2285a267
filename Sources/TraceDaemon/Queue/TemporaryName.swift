internal import SystemPackage
internal import TraceFiles

/// Names in a spool.
enum TemporaryName {
    /// Whether a file can be an entry or its audio: hidden names and `.tmp` are files on their way.
    static func isForeign(_ name: FilePath.Component) -> Bool {
        let bytes = name.bytes
        return bytes.first != UInt8(ascii: ".") && name.extension != "tmp"
    }
}
