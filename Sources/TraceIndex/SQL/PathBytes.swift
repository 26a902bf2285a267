internal import SystemPackage

extension FilePath {
    /// The path of these bytes, which hold no NUL. Not the generic one of `TraceFiles`: each row that is returned has a path.
    init(bytes: [UInt8]) {
        self.init(platformString: bytes.map { CInterop.PlatformChar(truncatingIfNeeded: $0) } + [0])
    }
}
