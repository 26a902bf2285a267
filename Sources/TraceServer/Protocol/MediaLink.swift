internal import TraceAccess
internal import RecordFormat
internal import TraceFiles

/// A link by which a player gets one recording: players send no header, and an address is kept in histories and logs. So it opens
/// one address, for some hours, and only for as long as the token may be used that it was made with.
///
/// Source: docs/http.md#links-for-players-and-guests.
struct MediaLink: Sendable, Hashable {
    /// The path that it opens.
    let path: String
    let token: ULID
    /// Until when, in seconds since 1970.
    let expiry: Int64

    /// How long a link can be used, in seconds.
    static let lifetime: Int64 = 12 * 3600

    /// The parameters of its query.
    static let names = ["tid", "exp", "sig"]

    /// What is signed. No path has a line break.
    private var message: [UInt8] { Array("media link\n\(path)\n\(token)\n\(expiry)".utf8) }

    /// The path with the query that opens it.
    ///
    /// - Throws: If there is no memory for the signature.
    func target(signedBy key: LinkKey) throws -> String {
        "\(path)?tid=\(token)&exp=\(expiry)&sig=\(Base64URL.text(of: try key.signature(of: message)))"
    }

    /// Whether a target is that of a link, good or not.
    static func isPresented(in target: RequestTarget) -> Bool {
        target.query.items.contains { $0.name == "sig" }
    }

    /// The link that a target is, if its signature is right.
    ///
    /// - Returns: Nil for anything else: another path, another parameter, one that is missing or given twice.
    init?(_ target: RequestTarget, signedBy key: LinkKey) {
        let items = target.query.items
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard items.map(\.name).sorted() == Self.names.sorted(),
            let token = value("tid").flatMap({ ULID($0) }),
            let text = value("exp"), let expiry = Int64(text), "\(expiry)" == text,
            let signature = value("sig").flatMap({ Base64URL.bytes(of: $0) })
        else { return nil }
        self.init(path: target.path, token: token, expiry: expiry)
        guard key.isSignature(signature, of: message) else { return nil }
    }

    init(path: String, token: ULID, expiry: Int64) {
        self.path = path
        self.token = token
        self.expiry = expiry
    }
}
