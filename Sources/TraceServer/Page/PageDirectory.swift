internal import SystemPackage
internal import TraceFiles

/// Finds the files of the web page, which are installed beside the program instead of being compiled into it.
///
/// Source: docs/http.md#the-web-page.
enum PageDirectory {
    /// What makes a directory that of the page.
    static let index: FilePath.Component = "index.html"

    /// The page's directory for the running program: a few stat(2).
    ///
    /// - Returns: Nil if the page is not installed.
    static func find() -> FilePath? {
        // The kernel has resolved it: links to the program don't matter.
        let program = try? OpenDirectory("/proc/self").linkTarget(of: "exe")
        return program.flatMap { find(for: $0) }
    }

    /// The page's directory for the program at a path: `../share/trace/page` as seen from its directory, or `page` beside the
    /// `Package.swift` of the checkout that it was built in.
    static func find(for program: FilePath) -> FilePath? {
        var directory = program.removingLastComponent()
        let installed = directory.removingLastComponent().pushing("share/trace/page")
        if has(index, in: installed) { return installed }
        repeat {
            guard has("Package.swift", in: directory) else { continue }
            let page = directory.appending("page")
            return has(index, in: page) ? page : nil
        } while directory.removeLastComponent()
        return nil
    }

    private static func has(_ name: FilePath.Component, in directory: FilePath) -> Bool {
        (try? FileStatus(of: directory.appending(name), followingLinks: false))?.kind == .regular
    }
}
