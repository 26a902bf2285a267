internal import Glibc

/// A question to the person at the terminal.
enum Question {
    /// Asks, and says whether the answer was yes; without a terminal nobody is asked, and what was typed
    /// counts.
    static func isWanted(for question: String) -> Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return true }
        Output.prompt("\(question) [y/N] ")
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }
}
