internal import TraceStore
package import SystemPackage
internal import TraceFiles
internal import TraceText

/// A QR code on a terminal, drawn by the program `qrencode`.
package enum QRCode {
    /// How long the program may take.
    private static let timeout = Duration.seconds(10)

    /// Draws a text. The program gets it by its standard input, where no list of processes shows it.
    ///
    /// - Returns: Lines of blocks, with escape sequences that set their colours.
    /// - Parameter program: Looked for in PATH; tests pass their own.
    /// - Throws: ``StoreError`` with `.toolMissing` or `.toolFailed`.
    package static func drawing(of text: String, by program: FilePath = "qrencode") throws -> [UInt8] {
        let outcome: ChildProgram.Outcome
        do throws(Errno) {
            var child = try ChildProgram(
                program, arguments: ["-t", "ANSIUTF8", "-o", "-"],
                options: ChildProgram.Options(gathersErrors: true))
            outcome = try child.run(feeding: Array(text.utf8), timeout: timeout) { false }
        } catch {
            if error == .noSuchFileOrDirectory {
                throw StoreError(.toolMissing, "qrencode not found", cure: "apt install qrencode")
            }
            throw StoreError(.toolFailed, "qrencode could not be started: \(error)")
        }
        if let failure = outcome.end.failure(of: "qrencode", errors: outcome.errors) { throw failure }
        return outcome.output
    }
}
