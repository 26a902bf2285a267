internal import PracticeJournal
internal import RecordFormat
internal import TraceConfiguration
internal import TraceExchange
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// Exit statuses (sysexits.h; 128 + SIGINT after an interrupt).
enum ExitStatus: Int32 {
    case negative = 1
    case usage = 64
    case badData = 65
    case noSession = 66
    case unavailable = 69
    case cannotCreate = 73
    case inputOutput = 74
    case tryAgain = 75
    case permission = 77
    case configuration = 78
    case stopped = 130
}

/// An error that ends a command: its message and exit status.
struct CommandFailure: Error {
    let status: ExitStatus
    /// Nil if everything has been said.
    let report: ErrorReport?

    init(_ status: ExitStatus, _ message: String?, hint: String? = nil) {
        self.status = status
        report = message.map { ErrorReport(message: $0, hint: hint) }
    }

    init(_ status: ExitStatus, _ report: ErrorReport) {
        self.status = status
        self.report = report
    }

    /// Says it on standard error.
    func tell() {
        if let report { Output.error("error: \(report.text)") }
    }

    /// The failure that an error of the modules below means.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as FileError: self.init(error.code.exitStatus, error.report)
        case let error as FormatError:
            self.init(error.code == .offsetMalformed ? .usage : .badData, error.report)
        case let error as ConfigurationError: self.init(.configuration, error.report)
        case let error as IndexError: self.init(error.code.exitStatus, error.report)
        case let error as LibraryError: self.init(error.code.exitStatus, error.report)
        case let error as SupersededPosition: self.init(.negative, error.report)
        case let error as ExchangeError: self.init(error.code.exitStatus, error.report)
        case let error as UnstableFiles: self.init(.tryAgain, error.report)
        default: self.init(.inputOutput, error.anyReport)
        }
    }

    /// Runs `body`, turning whatever it throws into a failure.
    static func explaining<Result>(_ body: () throws -> Result) throws(CommandFailure) -> Result {
        do { return try body() } catch { throw CommandFailure(error) }
    }
}

extension [CommandFailure] {
    /// Ends a command that has told all but this, and whose answer so is not whole: reports each, and throws what the first
    /// of them means.
    func end() throws(CommandFailure) {
        guard let first else { return }
        for failure in self { failure.tell() }
        throw CommandFailure(first.status, nil)
    }
}

extension IndexError.Code {
    fileprivate var exitStatus: ExitStatus {
        switch self {
        case .busy: .tryAgain
        case .permissionDenied: .permission
        default: .inputOutput
        }
    }
}

extension LibraryError.Code {
    fileprivate var exitStatus: ExitStatus {
        switch self {
        case .noDuration, .noStartTime, .noSessionID, .noLastRecord: .badData
        case .audioAbsent, .noSuchJournal: .noSession
        case .beforeStart, .afterEnd, .offsetTooLarge, .noLastMarker, .notActive, .timeMalformed,
            .timeInFuture, .offsetRelative, .rangeReversed, .tooManyWords, .cellsOutOfRange,
            .recordNameMalformed, .recordNotFound, .recordAmbiguous, .noSuchRule, .journalAmbiguous,
            .entryNameMalformed, .offsetNeedsSession, .tagMalformed, .nothingToChange, .noRoot,
            .notARecording, .recordingLengthUnknown:
            .usage
        }
    }
}

extension ExchangeError.Code {
    fileprivate var exitStatus: ExitStatus {
        switch self {
        case .mediaNotFound: .noSession
        case .mediaAmbiguous, .formatUnknown, .frameRateMalformed, .frameRateUnused: .usage
        }
    }
}

extension FileError.Code {
    fileprivate var exitStatus: ExitStatus {
        switch self {
        case .noSuchSession, .ambiguousSession, .noSuchRecord, .noSuchEntry, .noSuchAction, .noSuchToken,
            .notFound:
            .noSession
        case .ambiguousEntry, .ambiguousToken: .usage
        case .nothingToUndo, .unsafeToUndo, .isReferenced, .actionFailed: .negative
        case .alreadyExists: .cannotCreate
        case .alreadyClosed, .alreadyPaused, .notPaused, .hasEnded, .invalidData, .leavesSession,
            .nothingToTranscribe, .toolFailed, .tokenDamaged, .replicaEmptied, .cacheHash,
            .journalNotWritable:
            .badData
        case .toolMissing: .unavailable
        case .stopped: .stopped
        case .sessionLocked, .changedMeanwhile, .otherSession, .alreadyRunning: .tryAgain
        case .permissionDenied, .accessExposed: .permission
        default: .inputOutput
        }
    }
}
