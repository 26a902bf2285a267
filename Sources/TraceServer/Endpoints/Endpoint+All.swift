extension Endpoint {
    /// Every operation of the API.
    static let all: [Endpoint] = MachineEndpoints.all + FileEndpoints.all
}
