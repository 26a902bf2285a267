internal import ArgumentParser

/// `trace voice-notes …`
struct VoiceNotesCommand: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "voice-notes", abstract: "List voice notes.", subcommands: [VoiceNotesList.self])
    static let typed = "voice-notes"
}
