package import SystemPackage
internal import TraceFiles
package import TraceText

/// A configuration that cannot be used: where it says what, what is wrong with it, and the cure.
///
/// Match on ``code``; the wording is for people and may change.
package struct ConfigurationError: StructuredError, Hashable, Sendable {
    /// What kind of error this is. Open: later versions add codes.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable kebab-case id, as it is in the message.
        package let rawValue: String

        /// Creates a code from its kebab-case id.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A configuration file is there but cannot be read, or one that was asked for is not there.
        package static let fileUnreadable = Code(rawValue: "config-file-unreadable")
        /// A configuration file is not YAML, or not a mapping of keys to values.
        package static let fileMalformed = Code(rawValue: "config-file-malformed")
        /// A configuration file has a key that does not exist.
        package static let unknownKey = Code(rawValue: "config-unknown-key")
        /// A configuration file has the same key twice.
        package static let duplicateKey = Code(rawValue: "config-duplicate-key")
        /// A value has the wrong shape: a list where one value is expected, a mapping, nothing at all.
        package static let wrongType = Code(rawValue: "config-wrong-type")
        /// A value cannot be read as what its key holds.
        package static let invalidValue = Code(rawValue: "config-invalid-value")
        /// A value is read, but is outside what its key allows.
        package static let outOfRange = Code(rawValue: "config-out-of-range")
    }

    /// What kind of error this is.
    package let code: Code
    /// What is wrong, in one line without a trailing period.
    package let message: String
    /// Where the configuration says so.
    package let origin: SettingOrigin?
    /// The key concerned, or nil for an error of the whole file.
    package let key: String?
    /// What to do about it.
    package let hint: String?

    /// Creates an error.
    package init(
        _ code: Code, _ message: String, at origin: SettingOrigin?, key: String? = nil, hint: String? = nil
    ) {
        self.code = code
        self.message = message
        self.origin = origin
        self.key = key
        self.hint = hint
    }

    /// The configuration file concerned, if it is a file.
    package var file: FilePath? {
        guard case .file(let path, _) = origin else { return nil }
        return path
    }

    /// The 1-based line in ``file``, if known.
    package var line: Int? {
        guard case .file(_, let line) = origin else { return nil }
        return line
    }
}

extension ConfigurationError {
    /// The place is where the configuration says so.
    package var report: ErrorReport {
        ErrorReport(code: code.rawValue, place: origin.map { "\($0)" }, message: message, hint: hint)
    }
}
