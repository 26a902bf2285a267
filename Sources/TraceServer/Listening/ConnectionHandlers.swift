internal import Glibc
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Watches the bytes of a connection, in front of the parser, and ends the connection of a client that is too slow.
///
/// Hummingbird sets no idle time, forgets it while a body trickles in or an answer is stuck, and counts connections only in all.
final class SlowClientHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let pulse: ConnectionPulse
    private var check: Scheduled<Void>?
    /// How many bytes were given to the socket so far.
    private var written = 0

    init(_ pulse: ConnectionPulse) { self.pulse = pulse }

    func handlerAdded(context: ChannelHandlerContext) { schedule(context) }

    func handlerRemoved(context: ChannelHandlerContext) { check?.cancel() }

    func read(context: ChannelHandlerContext) {
        pulse.noteRead()
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        pulse.noteReceived(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    /// How often it is looked; a client may be slower than it may be by this.
    private static let interval = TimeAmount.seconds(1)

    private func schedule(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        check = context.eventLoop.scheduleTask(in: Self.interval) {
            let (handler, context) = bound.value
            handler.look(context)
            if handler.pulse.isOverdue(at: context.eventLoop.now) {
                handler.end(context)
            } else {
                handler.schedule(context)
            }
        }
    }

    /// Closes the connection. What the client has not taken is thrown away: the kernel would keep megabytes of it, and go on offering
    /// them for minutes to a client that takes nothing.
    private func end(_ context: ChannelHandlerContext) {
        if pulse.hasUnsent, let socket = context.channel as? any SocketOptionProvider {
            _ = socket.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        context.close(promise: nil)
    }

    /// Asks how much the socket has not taken: once a second, which costs an answer nothing.
    private func look(_ context: ChannelHandlerContext) {
        let unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        pulse.noteUnsent(unsent, of: written, now: context.eventLoop.now)
    }
}

/// Watches the messages of a connection, behind the parser: tells ``ConnectionPulse`` whose turn it is, and ends the connection
/// after an answer that says so.
final class ConnectionEndHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let pulse: ConnectionPulse
    private let table: ConnectionTable
    private var isLast = false

    init(_ pulse: ConnectionPulse, _ table: ConnectionTable) {
        self.pulse = pulse
        self.table = table
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        // What still comes of a request that was refused is not read.
        guard !pulse.isClosing else { return }
        switch part {
        case .head: _ = table.note(context.channel, isAnswering: true)
        case .end: table.noteWhole(context.channel)
        case .body: break
        }
        pulse.noteRequest(part, now: context.eventLoop.now)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        switch part {
        case .head(var head) where head.status.kind != .informational:
            if table.isClosing { head.headerFields[.connection] = "close" }
            isLast = head.headerFields[.connection] == "close"
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .head, .body: context.write(data, promise: promise)
        case .end:
            let mayGoOn = table.note(context.channel, isAnswering: false)
            pulse.noteAnswered(isLast: isLast || !mayGoOn, now: context.eventLoop.now)
            context.write(data, promise: promise)
            guard pulse.isClosing else { return }
            context.flush()
            // The client reads the answer before it hears that nobody listens; ``SlowClientHandler`` ends the rest.
            context.close(mode: .output, promise: nil)
        }
    }
}
