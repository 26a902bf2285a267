internal import ArgumentParser

/// `trace voice-notes …`
struct VoiceNotesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voice-notes", abstract: "List voice notes.", subcommands: [VoiceNotesList.self])
}
