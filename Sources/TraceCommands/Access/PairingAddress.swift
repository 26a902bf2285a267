internal import TraceAccess
internal import TraceConfiguration
internal import TraceStore
internal import TraceText

extension PairingAddress {
    /// The address that the settings say; if they say none, the one at which the daemon listens, to which systemd may have given a socket.
    init(_ settings: TraceSettings) {
        let status = RunningDaemon.status(
            state: settings.stateDirectory, runtimeDirectory: settings.runtimeDirectory)
        self.init(
            listen: settings.httpListen.map(\.text) + (status?.listening ?? []),
            publicURL: settings.httpPublicURL,
            isEncrypted: settings.httpTLS != nil)
    }
}

extension CommandContext {
    /// The address by which devices reach the HTTP API.
    var pairingAddress: PairingAddress { PairingAddress(settings) }

    /// Warns if a device can't reach the address that is printed, or there is none.
    ///
    /// - Parameter what: What lacks an address.
    func warnIfUnreachable(_ address: PairingAddress, for what: String) {
        if address.base == nil {
            warn(
                "the configuration names no address of the HTTP API, so there is none for \(what)",
                cure: "add 'http_listen: [127.0.0.1:8722]' or http_public_url to the configuration")
        } else if address.isLocal {
            warn(
                "only this machine can reach the address of \(what)",
                cure: "set http_public_url to the address by which others reach this machine")
        }
    }
}
