package import SystemPackage
internal import TraceFiles
package import TraceText

/// The kinds of failure of a configuration.
package enum ConfigurationErrorCode: String, ErrorCode {
    /// Where the configuration says so.
    package typealias Place = ConfigurationPlace

    /// A configuration file is there but cannot be read, or one that was asked for is not there.
    case fileUnreadable = "config-file-unreadable"
    /// A configuration file is not YAML, or not a mapping of keys to values.
    case fileMalformed = "config-file-malformed"
    /// A configuration file has a key that does not exist.
    case unknownKey = "config-unknown-key"
    /// A configuration file has the same key twice.
    case duplicateKey = "config-duplicate-key"
    /// A value has the wrong shape: a list where one value is expected, a mapping, nothing at all.
    case wrongType = "config-wrong-type"
    /// A value cannot be read as what its key holds.
    case invalidValue = "config-invalid-value"
    /// A value is read, but is outside what its key allows.
    case outOfRange = "config-out-of-range"

    /// See docs/errors.md.
    package var meaning: ErrorMeaning {
        switch self {
        case .fileUnreadable, .fileMalformed, .unknownKey, .duplicateKey, .wrongType, .invalidValue,
            .outOfRange:
            ErrorMeaning(http: 500, exit: .configuration, .refused)
        }
    }
}

/// Where a configuration says something.
package struct ConfigurationPlace: ErrorPlace {
    /// The file, variable or option.
    var origin: SettingOrigin?
    /// The key concerned, or nil for an error of the whole file.
    var key: String?

    /// As people read it: where, without the key, which is in the message.
    package var text: String? { origin.map { "\($0)" } }
}

/// A configuration that cannot be used: where it says what, what is wrong with it, and the cure.
package typealias ConfigurationError = CodedError<ConfigurationErrorCode>

extension ConfigurationError {
    /// Creates an error.
    package init(
        _ code: Code, _ message: String, at origin: SettingOrigin?, key: String? = nil, cure: Cure? = nil
    ) {
        self.init(code, message, at: ConfigurationPlace(origin: origin, key: key), cure: cure)
    }

    /// Where the configuration says so.
    package var origin: SettingOrigin? { place?.origin }

    /// The key concerned, or nil for an error of the whole file.
    package var key: String? { place?.key }

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
