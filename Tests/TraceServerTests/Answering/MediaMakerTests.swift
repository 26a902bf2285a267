import HTTPTypes
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceMedia
import TraceStore
import TraceText

@testable import TraceServer

/// What is made out of recordings, and what is remembered where that fails.
struct MediaMakerTests {
    private static let identity = FileIdentity(
        device: 1, inode: 2, size: 3, modified: SystemTime.now(), changed: SystemTime.now())

    /// A product that can't be made the first time.
    private final class Product: MediaProduct {
        private let failure: StoreError
        let attempts = Atomic(0)

        init(_ failure: StoreError) { self.failure = failure }

        func exists(for identity: FileIdentity) -> Bool { attempts.load(ordering: .relaxed) > 1 }

        func make(
            of source: FilePath, in identity: FileIdentity, shouldStop: @escaping () -> Bool
        ) throws {
            if attempts.add(1, ordering: .relaxed).newValue == 1 { throw failure }
        }
    }

    private let maker = MediaMaker("test") { Problem(.notFound, "unavailable", $0) }

    private func progress(of product: Product) -> MediaMaker.Progress {
        maker.progress(of: product, of: "/recording", in: Self.identity)
    }

    @Test(arguments: [Errno.textFileBusy, .resourceTemporarilyUnavailable, .noMemory, .tooManyOpenFiles])
    func `a program that can't be started for a while is started later`(_ error: Errno) throws {
        let product = Product(StoreError(.toolFailed, "could not be started", underlying: error))
        try soon("it is made") {
            switch progress(of: product) {
            case .made: return true
            case .making: return false
            case .impossible(let problem):
                Issue.record("\(problem)")
                return true
            }
        }
        #expect(product.attempts.load(ordering: .relaxed) == 2)
    }

    @Test(arguments: [nil, Errno.permissionDenied])
    func `what is wrong with the file, or with the program, is found out once`(_ error: Errno?) throws {
        let product = Product(StoreError(.toolFailed, "no sound", underlying: error))
        for _ in 0..<2 {
            try soon("it can't be made") {
                guard case .impossible(let problem) = progress(of: product) else { return false }
                #expect(problem.detail == "no sound")
                return true
            }
        }
        #expect(product.attempts.load(ordering: .relaxed) == 1)
    }
}
