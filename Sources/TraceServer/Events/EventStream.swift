internal import HummingbirdCore
internal import NIOCore
internal import TraceLibrary

/// Sends one client its server-sent events, for as long as it listens.
///
/// Source: docs/http.md#events; HTML, "Server-sent events".
struct EventStream {
    private let subscription: Subscription
    private let loop: any EventLoop

    /// After so long without an event a comment is sent: proxies and phones take a connection that is silent for dead.
    private static let pulse = Duration.seconds(15)
    /// How long a client waits before it comes back, in milliseconds.
    private static let retry = 2000

    init(_ subscription: Subscription, _ loop: any EventLoop) {
        self.subscription = subscription
        self.loop = loop
    }

    /// Sends until the client has gone, which cancels the task, or the process is about to end.
    func send(to out: inout some ResponseBodyWriter) async throws {
        try await out.write(ByteBuffer(string: "retry: \(Self.retry)\nid: \(subscription.start)\n\n"))
        var last = ContinuousClock.now
        let ticks = loop.scheduleRepeatedTask(
            initialDelay: .nanoseconds(Self.pulse), delay: .nanoseconds(Self.pulse)
        ) { [subscription] _ in subscription.wake() }
        defer { ticks.cancel() }
        for await _ in subscription.wakes {
            var bytes = ByteBuffer()
            for event in subscription.take() { bytes.writeBytes(event) }
            if bytes.readableBytes == 0 {
                guard last.duration(to: .now) >= Self.pulse else { continue }
                bytes.writeString(":\n\n")
            }
            try await out.write(bytes)
            // What the socket does not take is waited for, so that a slow client has one piece in memory.
            try await loop.submit {}.get()
            last = .now
        }
        guard !Task.isCancelled else { throw CancellationError() }
        try await out.write(ByteBuffer(string: "event: bye\ndata: {}\n\n"))
    }
}

extension TimeAmount {
    fileprivate static func nanoseconds(_ duration: Duration) -> TimeAmount {
        .nanoseconds(Int64(duration / .nanoseconds(1)))
    }
}
