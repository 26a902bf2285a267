internal import Glibc

/// Shows long answers page by page, on a terminal only.
enum Pager {
    /// The program that is used: TRACE_PAGER, else PAGER, else less; nil where the user wants none.
    static var program: String? {
        for name in ["TRACE_PAGER", "PAGER"] {
            guard let value = getenv(name) else { continue }
            let program = String(cString: value)
            return program.isEmpty || program == "cat" ? nil : program
        }
        return "less"
    }

    /// Shows bytes that are longer than the terminal.
    ///
    /// - Returns: False where there is no such program.
    static func show(_ bytes: [UInt8], with program: String) -> Bool {
        // Short answers stay on the screen, colours are shown, and the screen is left as it is.
        setenv("LESS", "FRX", 0)
        guard let stream = popen(program, "w") else { return false }
        // The pager's keys are its own affair.
        let old = signal(SIGINT, SIG_IGN)
        // Sound: the array lends its elements for the length of the call.
        _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
        let status = pclose(stream)
        signal(SIGINT, old)
        // How a shell says that it found no such program.
        return status >= 0 && (status >> 8) & 0xFF != 127
    }
}
