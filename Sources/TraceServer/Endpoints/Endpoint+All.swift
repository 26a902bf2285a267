extension Endpoint {
    /// Every operation of the API.
    static let all: [Endpoint] = [
        MachineEndpoints.all, StatusEndpoints.all, SessionEndpoints.all, SessionChangeEndpoints.all,
        BinEndpoints.all,
        RecordEndpoints.all, JournalEndpoints.all, DocumentEndpoints.all,
        KindEndpoints.all,
        FindingEndpoints.all, FileEndpoints.all,
        WaveformEndpoints.all,
        MarkerChangeEndpoints.all, VoiceNoteEndpoints.all, AudioEndpoints.all, DeliveryEndpoints.all,
        PositionEndpoints.all, DigestEndpoints.all, ExchangeEndpoints.all, CheckEndpoints.all,
        ActionEndpoints.all, QueueEndpoints.all, EventEndpoints.all, FeedEndpoints.all,
        AccessEndpoints.all,
    ].flatMap(\.self)

    /// Whatever is answered: the operations of the API, and the web page, which is not for programs and so not described to them.
    static let routed: [Endpoint] = all + PageEndpoints.all
}
