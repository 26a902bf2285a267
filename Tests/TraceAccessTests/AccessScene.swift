import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles

@testable import TraceAccess

/// A state directory in which tokens are added, revoked and paired.
struct AccessScene: Sendable {
    let state: FilePath

    init(in root: FilePath) { state = root.appending("state") }

    var access: FilePath { state.appending("access") }
    var pairing: FilePath { access.appending("pairing") }

    func tokens(_ failPoint: FailPoint? = nil) -> AccessTokens {
        AccessTokens(state: state, failPoint: failPoint)
    }

    func codes(_ failPoint: FailPoint? = nil) -> PairingCodes {
        PairingCodes(state: state, failPoint: failPoint)
    }

    static func grant(_ name: String = "phone", _ scope: AccessScope = .mark) -> AccessGrant {
        AccessGrant(name: name, person: "ann", scope: scope)
    }

    func add(_ name: String = "phone") throws -> (token: AccessToken, secret: TokenSecret) {
        try tokens().add(Self.grant(name), at: morning)
    }

    /// The names of the tokens, in order.
    func names() throws -> [String] {
        let list = try tokens().list()
        #expect(list.damaged.isEmpty, "\(list.damaged)")
        return list.tokens.map(\.name).sorted()
    }

    /// The names in a directory that are not those of tokens, pairings or the directory of pairings: what was left behind.
    func leftovers() throws -> [String] {
        guard access.exists else { return [] }
        return try tree(of: access).keys.filter { !$0.hasSuffix(".json") && $0 != "pairing" }.sorted()
    }
}

extension Timestamp {
    /// So many seconds later.
    func later(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds + 1000 * seconds) }
}
