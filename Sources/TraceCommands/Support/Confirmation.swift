internal import Glibc

/// A yes-or-no question at the terminal.
enum Confirmation {
    /// Whether there is a terminal for the question.
    static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks for a word; without a terminal, there is none.
    static func answer(to question: String) -> String? {
        guard hasTerminal else { return nil }
        Output.prompt(question)
        return readLine().map { $0.filter { $0 != " " } }
    }

    /// Asks the question; without a terminal, it is not asked, and the command line counts.
    static func isGiven(for question: String) -> Bool {
        guard hasTerminal else { return true }
        Output.prompt("\(question) [y/N] ")
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }
}
