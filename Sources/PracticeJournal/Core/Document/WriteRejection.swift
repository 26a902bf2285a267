internal import RecordFormat

/// Why a write is not made: what it asks for is incomplete or not possible. Nothing is changed then.
package struct WriteRejection: Error, Sendable, Equatable {
    /// For the person who writes: what to do instead.
    package let message: String

    package init(_ message: String) { self.message = message }

    package static let score = WriteRejection("Enter a valid score above 0.")
    package static let tournament = WriteRejection("Enter a tournament name.")
    package static let note = WriteRejection("Note cannot be empty.")
    package static let videoValue = WriteRejection("Enter a video progress value.")
    package static let game = WriteRejection("Choose a game.")
    package static let player = WriteRejection("Choose a player.")
}

extension ArgumentProblem {
    /// What can't be done whatever is in the journal.
    init(_ rejection: WriteRejection) { self = .refused(rejection.message) }
}
