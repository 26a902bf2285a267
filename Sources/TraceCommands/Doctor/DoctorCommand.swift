internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceText

/// `trace doctor`
struct DoctorCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look for problems with the installation, and say how to fix them.",
        discussion: """
            Checks the configuration, the roots, its own directories, disk space, programs and libraries, inotify \
            limits, the clock, the index, the queue and the daemon. Changes nothing. Exit status 1 if something is wrong; \
            what could merely be better is a warning.
            """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let checks = Self.checks(global)
        if global.json {
            Output.json(.array(checks.map(\.json)))
        } else {
            for check in checks { Output.line(check.text) }
        }
        let wrong = checks.count { $0.verdict == .problem }
        guard wrong > 0 else { return }
        throw CommandFailure(
            .negative, global.json ? nil : "\(counted(wrong, "thing")) is wrong".plural(wrong))
    }

    private static func checks(_ global: GlobalOptions) -> [HealthCheck] {
        let context: CommandContext
        do { context = try CommandContext(global) } catch {
            return [HealthCheck(.problem, "configuration", failure: error)] + ToolChecks.all(speech: [])
        }
        let settings = context.settings
        let sessions = DoctorSessions(context)
        return ConfigurationChecks.all(context) + PlaceChecks.all(settings, sessions)
            + ToolChecks.all(speech: settings.speechCommand) + SystemChecks.all(context, sessions)
            + ServiceChecks.all(context) + JournalChecks.all(context)
    }
}

extension String {
    /// The sentence for so many things.
    fileprivate func plural(_ number: Int) -> String { number == 1 ? self : replacing(" is ", with: " are ") }
}

/// The result of a check, with the cure of a problem.
struct HealthCheck {
    enum Verdict: String {
        case ok, warning, problem
    }

    let verdict: Verdict
    /// What was looked at.
    let subject: String
    let message: String
    let cure: String?

    init(_ verdict: Verdict, _ subject: String, _ message: String, cure: String? = nil) {
        self.verdict = verdict
        self.subject = subject
        self.message = message
        self.cure = cure
    }

    /// From an error of ours, whose hint is the cure.
    init(_ verdict: Verdict, _ subject: String, failure: any Error) {
        let report = failure.anyReport
        self.init(verdict, subject, report.headline, cure: report.hint)
    }

    var text: String {
        let mark = verdict.rawValue.padded(to: 8) + subject.padded(to: 14) + message.oneLine
        return cure.map { "\(mark)\n        cure: \($0)" } ?? mark
    }

    var json: JSONText {
        .object { object in
            object.member("check", JSONText(subject))
            object.member("verdict", JSONText(verdict.rawValue))
            object.member("message", JSONText(message))
            object.member("cure", cure.map { JSONText($0) })
        }
    }
}
