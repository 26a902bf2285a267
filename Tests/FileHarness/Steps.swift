import Glibc
package import SystemPackage
package import Testing
package import TraceFiles
package import TraceText

/// What a hook saw, from whichever thread.
package final class Steps: @unchecked Sendable {
    // Guarded by the lock that every access takes.
    private var steps: [WriteStep] = []
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init() { pthread_mutex_init(lock, nil) }
    deinit { lock.deallocate() }

    package func add(_ step: WriteStep) -> Int {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        steps.append(step)
        return steps.count
    }

    package var all: [WriteStep] {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return steps
    }
}

/// The code of the ``FileError`` that `body` throws.
package func code(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> some Any
) -> FileErrorCode? {
    code(of: FileError.self, sourceLocation: sourceLocation, body)
}

/// The code of the error of that list that `body` throws.
package func code<Codes: ErrorCode>(
    of list: CodedError<Codes>.Type, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> some Any
) -> Codes? {
    do {
        _ = try body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch let error as CodedError<Codes> {
        return error.code
    } catch {
        Issue.record("not of that list: \(error)", sourceLocation: sourceLocation)
    }
    return nil
}

/// A name that is not UTF-8.
package let crookedName = FilePath.Component(bytes: [0x61, 0xFF, 0xFE, 0x2E, 0x6A]) ?? "unreachable"
