internal import RecordFormat
internal import TraceText

/// Numbers as people write them: otherwise than JSON does.
enum TypedNumber {
    /// A score: `12345678`, `12,345,678`, `12.345.678`.
    static let score: ArgumentReading = { typed throws(ArgumentProblem) in
        guard let number = ScoreText.typed(typed) else {
            throw .refused(
                "'\(typed)' is not a score",
                cure:
                    "write it as 12345678 or 12,345,678: a whole number of at most \(ScoreText.longestTyped) digits, maybe in groups of three"
            )
        }
        return .number(number)
    }

    /// A share of a task: `40`, `40%`.
    static let percentage: ArgumentReading = { typed throws(ArgumentProblem) in
        guard let percent = Int(typed.hasSuffix("%") ? String(typed.dropLast()) : typed),
            (0...100).contains(percent)
        else { throw .refused("'\(typed)' is not a percentage from 0 to 100") }
        return .integer(percent)
    }
}
