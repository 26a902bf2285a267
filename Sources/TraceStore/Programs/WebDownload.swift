package import SystemPackage
internal import TraceFiles
internal import TraceText

/// A file from the web, fetched by the program `curl`: neither `trace` nor the daemon has an HTTP client of its own.
package enum WebDownload {
    /// How long one file may take, in seconds.
    private static let longest = 300

    /// Fetches a file by `http` or `https`, following redirects to nothing else.
    ///
    /// - Parameters:
    ///   - url: Not a word of it is taken for an option or a pattern.
    ///   - limit: The most bytes that are taken.
    ///   - program: Looked for in PATH; tests pass their own.
    /// - Returns: Nil if the server says that there is no such file (404, 410).
    /// - Throws: ``StoreError`` with `.toolMissing` or `.toolFailed`, whose message says what went wrong on the way.
    package static func contents(
        of url: String, limit: Int, by program: FilePath = "curl"
    ) throws -> [UInt8]? {
        let arguments = [
            "-q", "--silent", "--show-error", "--fail", "--location", "--max-redirs", "5", "--globoff",
            "--proto", "=http,https", "--proto-redir", "=http,https", "--connect-timeout", "10",
            "--speed-limit", "1", "--speed-time", "30", "--max-time", "\(longest)",
            "--max-filesize", "\(limit)", "--write-out", "%{stderr}%{http_code}", "--output", "-", "--url",
            url,
        ]
        let outcome: ChildProgram.Outcome
        do throws(Errno) {
            var child = try ChildProgram(
                program, arguments: arguments.map { FilePath($0) },
                options: ChildProgram.Options(outputLimit: limit, gathersErrors: true))
            outcome = try child.run(timeout: .seconds(longest + 10)) { false }
        } catch {
            if error == .noSuchFileOrDirectory {
                throw StoreError(.toolMissing, "curl not found", cure: "apt install curl")
            }
            throw StoreError(.toolFailed, "curl could not be started: \(error)")
        }
        // The last thing that it says is the status of the answer.
        let status = outcome.errors.suffix(3)
        if outcome.end == .exited(22), ["404", "410"].contains(where: { status.elementsEqual($0.utf8) }) {
            return nil
        }
        if outcome.end == .tooMuchOutput {
            throw StoreError(.toolFailed, "\(url): is larger than \(limit) bytes")
        }
        guard outcome.end == .exited(0) else {
            let said = String(decoding: outcome.errors.dropLast(3), as: UTF8.self)
                .split(separator: "\n").last.map { $0.drop { $0 != ")" }.dropFirst().drop { $0 == " " } }
            throw StoreError(
                .toolFailed,
                "\(url): \(said.map { $0.isEmpty ? "can't be fetched" : String($0) } ?? "can't be fetched")",
                cure: "check the address and the network; the previous files are kept")
        }
        return outcome.output
    }
}
