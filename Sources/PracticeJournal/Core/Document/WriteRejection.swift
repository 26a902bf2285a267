internal import RecordFormat

/// Why a write is not made: what it asks for is incomplete or not possible. Nothing is changed then.
package struct WriteRejection: Error, Sendable, Equatable {
    /// For the person who writes: what to do instead.
    package let message: String

    package init(_ message: String) { self.message = message }

    static let score = WriteRejection("Enter a valid score above 0.")
    static let tournament = WriteRejection("Enter a tournament name.")
    static let note = WriteRejection("Note cannot be empty.")
    static let videoValue = WriteRejection("Enter a video progress value.")
    static let game = WriteRejection("Choose a game.")
    static let groupName = WriteRejection("Group name is required.")
    static let groupGames = WriteRejection("Select at least one game.")
    static let groupDates = WriteRejection("End date must be on or after start date.")
    static let player = WriteRejection("Choose a player.")
}

extension ArgumentProblem {
    /// What can't be done whatever is in the journal.
    init(_ rejection: WriteRejection) { self = .refused(rejection.message) }
}
