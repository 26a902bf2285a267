import Foundation
import SystemPackage
import Testing
import TraceConfiguration

/// A made-up machine in a scratch directory: `etc/config.yaml`, a home directory and a working directory.
struct Machine: Sendable {
    /// The scratch directory.
    let root: FilePath
    /// The machine of the running test; see ``Trait/machine``.
    @TaskLocal static var current = Machine(root: "/nonexistent")

    /// The configuration file of the machine.
    var systemFile: FilePath { root.appending("etc/config.yaml") }
    /// The configuration file of the user.
    var userFile: FilePath { home.appending(".config/trace/config.yaml") }
    /// The home directory of the user.
    var home: FilePath { root.appending("home") }
    /// The working directory.
    var work: FilePath { root.appending("work") }

    /// Writes a file, with its directory.
    func write(_ text: String, to path: FilePath) throws {
        try write(Array(text.utf8), to: path)
    }

    /// Writes a file, with its directory.
    func write(_ bytes: [UInt8], to path: FilePath) throws {
        try FileManager.default.createDirectory(
            atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: path.string))
    }

    /// Loads the settings of a user with a home directory, unless the environment says otherwise.
    func load(
        _ environment: [String: String] = [:], bytes: [String: [UInt8]] = [:],
        flags: SettingsFlags = SettingsFlags(), workingDirectory: FilePath?? = nil
    ) throws(ConfigurationError) -> TraceSettings {
        var all = ["HOME": Array(home.string.utf8)]
        all.merge(environment.mapValues { Array($0.utf8) }) { $1 }
        all.merge(bytes) { $1 }
        return try TraceSettings.load(
            flags: flags,
            in: SettingsContext(
                environment: all, workingDirectory: workingDirectory ?? work, systemFile: systemFile))
    }

    /// The error that loading throws.
    func error(
        _ environment: [String: String] = [:], flags: SettingsFlags = SettingsFlags(),
        workingDirectory: FilePath?? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ConfigurationError {
        try #require(
            throws: ConfigurationError.self, sourceLocation: sourceLocation,
            performing: { try load(environment, flags: flags, workingDirectory: workingDirectory) })
    }

    /// The whole text of an error, with the scratch directory as `/S`.
    func text(_ error: ConfigurationError) -> String {
        "\(error)".replacing(root.string, with: "/S")
    }
}

/// Gives each test a ``Machine`` of its own and removes it afterwards, unless `TRACE_KEEP_SCRATCH` is set.
struct MachineTrait: SuiteTrait, TestTrait, TestScoping {
    /// Applies to every test of a suite.
    var isRecursive: Bool { true }

    /// Runs a test with its machine.
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(
            path: "trace-config-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer {
            if ProcessInfo.processInfo.environment["TRACE_KEEP_SCRATCH"] == nil {
                try? FileManager.default.removeItem(at: directory)
            }
        }
        try await Machine.$current.withValue(Machine(root: FilePath(directory.path)), operation: function)
    }
}

extension Trait where Self == MachineTrait {
    /// A ``Machine`` of its own for each test.
    static var machine: Self { MachineTrait() }
}
