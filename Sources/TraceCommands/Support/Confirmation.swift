internal import Glibc

/// A question to the person at the terminal.
enum Confirmation {
    /// Whether there is a person at a terminal who can be asked.
    static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks, and says whether the answer was yes; without a terminal nobody is asked, and what was typed
    /// counts.
    static func isGiven(for question: String) -> Bool {
        guard hasTerminal else { return true }
        Output.prompt("\(question) [y/N] ")
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }
}
