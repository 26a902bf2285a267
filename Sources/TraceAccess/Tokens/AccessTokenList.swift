internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
package import TraceText

/// The tokens of a state directory, and the files among them that can't be read.
package struct AccessTokenList: Sendable {
    /// In the order of their ids, that is, of their making.
    package private(set) var tokens: [AccessToken] = []
    /// The files that let nobody in because they can't be read; the others are not affected.
    package private(set) var damaged: [Damaged] = []

    /// A file that can't be read.
    package struct Damaged: Sendable {
        /// The id in its name.
        let id: ULID
        /// What is wrong with it, where, and the cure.
        package let problem: any StructuredError
        /// Whether it stays so until somebody writes the file again; else another attempt may succeed.
        let isLasting: Bool

        /// Whether the disk, or the lack of descriptors, is in the way.
        var mayBeReadLater: Bool {
            let code = (problem as? FileError)?.code
            return code == .io || code == .tooManyOpenFiles
        }
    }

    /// No tokens.
    init() {}

    /// Reads every token.
    ///
    /// - Throws: ``FileError`` if the directory can't be listed.
    init(in directory: OpenDirectory) throws {
        for id in try directory.accessIDs() {
            do {
                if let token = try Self.read(id, in: directory)?.token { tokens.append(token) }
            } catch {
                damaged.append(Damaged(id: id, problem: error.structured, isLasting: Self.isLasting(error)))
            }
        }
        refuseCopies(at: directory.path)
    }

    private static func isLasting(_ problem: any Error) -> Bool {
        if let error = problem as? FileError {
            return [.notRegularFile, .leavesSession, .invalidData].contains(error.code)
        }
        return (problem as? AccessError)?.code == .tokenDamaged
    }

    /// Reads one token.
    ///
    /// - Returns: Nil if there is no such file.
    /// - Throws: ``FileError``; ``AccessError`` with `.tokenDamaged` for contents that are not those of a token.
    static func read(_ id: ULID, in directory: OpenDirectory) throws -> (
        token: AccessToken, file: FileContents
    )? {
        let name = try id.accessFileName
        do {
            guard let file = try directory.accessFile(name) else { return nil }
            // Says where the text is not JSON.
            _ = try JSONObjectEditor(file.contents)
            return (try AccessToken(parsing: file.contents, named: id), file)
        } catch let problem as AccessMembers.Problem {
            throw Self.isDamaged(
                "the value of '\(problem.member)' is missing or not valid", id, in: directory)
        } catch let error as FormatError where error.code != .memory {
            throw Self.isDamaged(error.message, id, in: directory)
        } catch is JSONParser.Failure {
            throw Self.isDamaged("it is not JSON", id, in: directory)
        } catch {
            throw error.structured
        }
    }

    private static func isDamaged(_ reason: String, _ id: ULID, in directory: OpenDirectory) -> AccessError {
        AccessError(
            .tokenDamaged, "is not a token: \(reason)", path: directory.path.appending("\(id).json"),
            cure: "restore the file from a backup, or remove it: trace token revoke \(id)")
    }

    /// Of files with one secret, such as copies that somebody made to edit, it is unknown which is meant.
    private mutating func refuseCopies(at path: FilePath) {
        let copies = Dictionary(grouping: tokens, by: \.sha256).values.filter { $0.count > 1 }
        guard !copies.isEmpty else { return }
        for copy in copies.joined() {
            damaged.append(
                Damaged(
                    id: copy.id,
                    problem: AccessError(
                        .tokenDamaged, "another token has the same secret",
                        path: path.appending("\(copy.id).json"),
                        cure: "remove all but one of them: trace token revoke ID"), isLasting: true))
        }
        let refused = Set(copies.joined().map(\.id))
        tokens.removeAll { refused.contains($0.id) }
        damaged.sort { $0.id < $1.id }
    }
}
