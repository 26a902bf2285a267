extension Endpoint {
    /// Every operation of the API.
    static let all: [Endpoint] = [
        MachineEndpoints.all, StatusEndpoints.all, SessionChangeEndpoints.all, FileEndpoints.all,
        PositionEndpoints.all, DigestEndpoints.all, ExchangeEndpoints.all, CheckEndpoints.all,
        ActionEndpoints.all, QueueEndpoints.all, AccessEndpoints.all,
    ].flatMap(\.self)
}
