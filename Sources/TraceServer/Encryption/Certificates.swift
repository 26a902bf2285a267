internal import Glibc
internal import NIOSSL
internal import Synchronization
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceText

/// The certificate and the key with which connections are encrypted, as their files have them now.
///
/// A pair that can't be used takes the place of none: the one before it stays for as long as nothing better is in the files, and a
/// connection that has begun keeps its own.
///
/// Source: docs/operations.md#a-certificate-of-your-own.
final class Certificates: Sendable {
    private let state = Mutex(State())

    private struct State {
        var files: TLSFiles?
        var pair: Pair?
        /// What was looked at last.
        var seen: [Seen] = []
        var problem: Unusable?
        /// Whether somebody looks at the files again and again.
        var isWatched = false
    }

    /// What one of the files was when it was read.
    private enum Seen: Equatable {
        case file(FileIdentity)
        case missing(Errno)
    }

    /// A pair that connections are encrypted with.
    private struct Pair {
        let context: NIOSSLContext
        let validity: Range<time_t>
        let path: FilePath
    }

    /// How a new connection is treated.
    enum Treatment {
        case plain
        case encrypted(NIOSSLContext)
        /// Encryption is configured, and no certificate could be loaded yet.
        case refused
    }

    /// Why a pair is not used.
    struct Unusable: Error, Equatable {
        let path: FilePath
        let message: String
        var cure: Cure?
    }

    /// How large such a file may be, in bytes: a hundred certificates have room in it.
    private static let sizeLimit: Int64 = 1 << 20

    /// Encrypts with these files from now on; with nil, not at all.
    func adopt(_ files: TLSFiles?) {
        state.withLock { state in
            guard files != state.files else { return }
            // The old pair stays until the new one is read, unless nothing is to be encrypted any more.
            if files == nil { state.pair = nil }
            state.files = files
            state.seen = []
            state.problem = nil
        }
    }

    /// How a new connection from the network is treated.
    var treatment: Treatment {
        state.withLock { state in
            if state.files == nil { return .plain }
            return state.pair.map { .encrypted($0.context) } ?? .refused
        }
    }

    /// Whether it encrypts.
    var areWanted: Bool { state.withLock { $0.files != nil } }

    /// Takes over to look at the files again and again, until ``mustBeWatched()`` says that it is over.
    ///
    /// - Returns: False if somebody else does, or nothing is to be encrypted.
    func beginWatch() -> Bool {
        state.withLock { state in
            guard state.files != nil, !state.isWatched else { return false }
            state.isWatched = true
            return true
        }
    }

    /// Whether the caller of ``beginWatch()`` must look at the files again.
    func mustBeWatched() -> Bool {
        state.withLock { state in
            state.isWatched = state.isWatched && state.files != nil
            return state.isWatched
        }
    }

    /// What is wrong with the files, or with the pair that is used.
    var problem: Unusable? { state.withLock { $0.problem } }

    /// Reads the files if they have changed. Blocks for as long as the disk takes.
    ///
    /// - Parameter now: Seconds since 1970.
    /// - Returns: Whether another pair is used now, or another problem is known.
    func refresh(at now: time_t) -> Bool {
        let (files, seen, old) = state.withLock { ($0.files, $0.seen, $0.pair) }
        guard let files else { return false }
        // Taken before the files are read: what changes meanwhile is read again the next time.
        let current = [files.certificate, files.key].map(Self.look)
        guard current != seen else { return noteAge(at: now) }
        let result = Result<Pair, Unusable> { () throws(Unusable) in
            let pair = try Self.read(files)
            if let reason = Self.objection(to: pair, at: now) {
                // Nothing better is there: clients that do not mind are served.
                guard let old, old.validity.contains(now) else { return pair }
                throw reason
            }
            return pair
        }
        return state.withLock { state in
            guard state.files == files else { return false }
            state.seen = current
            let known = state.problem
            switch result {
            case .success(let pair):
                state.pair = pair
                state.problem = Self.objection(to: pair, at: now)
                return true
            case .failure(let reason):
                state.problem = reason
                return reason != known
            }
        }
    }

    /// Notes that the pair in use has expired since it was read.
    private func noteAge(at now: time_t) -> Bool {
        state.withLock { state in
            guard state.problem == nil, let pair = state.pair else { return false }
            state.problem = Self.objection(to: pair, at: now)
            return state.problem != nil
        }
    }

    private static func look(_ path: FilePath) -> Seen {
        do throws(Errno) { return .file(try FileStatus(of: path).identity) } catch { return .missing(error) }
    }

    private static func objection(to pair: Pair, at now: time_t) -> Unusable? {
        guard !pair.validity.contains(now) else { return nil }
        return now >= pair.validity.upperBound
            ? Unusable(path: pair.path, message: "the certificate has expired", cure: "renew it")
            : Unusable(
                path: pair.path, message: "the certificate is not valid yet",
                cure: "check the clock of this machine ('timedatectl'), and that of the one that made it")
    }

    private static func read(_ files: TLSFiles) throws(Unusable) -> Pair {
        let chain: [NIOSSLCertificate]
        do { chain = try NIOSSLCertificate.fromPEMBytes(try contents(of: files.certificate)) } catch let error
            as Unusable
        { throw error } catch {
            throw Unusable(
                path: files.certificate, message: "has no certificate in PEM, or a broken one",
                cure: "it begins with '-----BEGIN CERTIFICATE-----'")
        }
        guard let first = chain.first else {
            throw Unusable(path: files.certificate, message: "has no certificate in PEM")
        }
        let key: NIOSSLPrivateKey
        let bytes = try contents(of: files.key)
        do { key = try NIOSSLPrivateKey(bytes: bytes, format: .pem) } catch {
            throw Unusable(
                path: files.key, message: "has no private key in PEM, or one with a passphrase",
                cure: "'openssl pkey -in FILE -out NEW' takes the passphrase away")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = Self.ciphers
        configuration.applicationProtocols = ["http/1.1"]
        do {
            let end = max(first.notValidAfter, first.notValidBefore)
            return Pair(
                context: try NIOSSLContext(configuration: configuration),
                validity: first.notValidBefore..<end, path: files.certificate)
        } catch {
            throw Unusable(
                path: files.key, message: "is not the key of the certificate in \(files.certificate.escaped)",
                cure: "set http_certificate and http_key to two files that were made together")
        }
    }

    /// The ciphers of TLS 1.2, those with forward secrecy alone: who records connections today and gets the key tomorrow reads none of them.
    /// All of TLS 1.3 have it, and are taken besides.
    ///
    /// Source: RFC 9325, section 4.2.
    private static let ciphers: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    private static func contents(of path: FilePath) throws(Unusable) -> [UInt8] {
        do {
            guard let name = path.lastComponent,
                let file = try OpenDirectory(path.removingLastComponent()).readFile(name, limit: sizeLimit)
            else { throw Unusable(path: path, message: "does not exist") }
            return file.contents
        } catch let error as FileError {
            throw Unusable(path: path, message: error.message, cure: error.cure)
        } catch let error as Unusable {
            throw error
        } catch {
            throw Unusable(path: path, message: "\(error)")
        }
    }
}
