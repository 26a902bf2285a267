internal import Glibc
package import SystemPackage
internal import TraceFiles
internal import TraceText

/// An executable that a person has put into the `actions/` of a configuration directory.
package struct ActionProgram: Sendable {
    /// Its file's name.
    let name: String
    let path: FilePath

    /// Looks for the program of an action.
    ///
    /// - Parameter directories: Where to look, the one that wins first.
    /// - Throws: ``StoreError`` with `.noSuchAction`; ``FileError`` with `.permissionDenied` if the file can't be executed.
    package init(named name: String, in directories: [FilePath]) throws {
        self.name = name
        let component = FilePath.Component(name)
        guard let component, component.kind == .regular, component.string == name, !name.hasPrefix(".") else {
            throw StoreError(
                .noSuchAction, "'\(name)' is not an action name",
                cure: "an action has the name of its file in \(Self.text(directories))")
        }
        for directory in directories {
            let path = directory.appending(component)
            guard let file = try? OpenDirectory(directory).status(of: component, followingLinks: true) else {
                continue
            }
            guard file.kind == .regular, path.withPlatformString({ access($0, X_OK) }) == 0 else {
                throw FileError(
                    .permissionDenied, "is not an executable file", path: path,
                    cure: "make it one (chmod +x)")
            }
            self.path = path
            return
        }
        throw StoreError(
            .noSuchAction, "unknown action: \(name)",
            cure: "put an executable with that name into \(Self.text(directories))")
    }

    /// The names of all programs, in the order of the alphabet.
    package static func names(in directories: [FilePath]) -> [String] {
        let found = directories.flatMap { directory -> [String] in
            var names: [String] = []
            try? OpenDirectory(directory).forEachName { names.append($0.string) }
            return names.filter { (try? ActionProgram(named: $0, in: [directory])) != nil }
        }
        return Set(found).sorted()
    }

    private static func text(_ directories: [FilePath]) -> String {
        directories.map(\.escaped).joined(separator: " or ")
    }
}
