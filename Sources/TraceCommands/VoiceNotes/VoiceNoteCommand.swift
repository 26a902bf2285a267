internal import ArgumentParser

/// `trace voice-note …`
struct VoiceNoteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "voice-note", abstract: "Add a voice note to a session, or set its text.",
        subcommands: [VoiceNoteAdd.self, SetTranscript.self], defaultSubcommand: VoiceNoteAdd.self)
}
