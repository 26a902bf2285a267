internal import NIOCore
internal import NIOHTTP1

/// Keeps the end of a body away from answers to `HEAD`, which have none.
///
/// The encoder knows no methods: of an answer whose length is not known, it would send the last chunk, and the client would take that for
/// the beginning of the next answer. This handler sees requests as they come and answers as they go, in the same order.
///
/// Source: RFC 9112, section 6.3.
final class HeadResponseHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Of the requests that have not been answered yet, whether they are `HEAD`.
    private var awaited = CircularBuffer<Bool>()
    private var isHead = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data) { awaited.append(head.method == .HEAD) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where !(100..<200).contains(Int(head.status.code)):
            isHead = awaited.popFirst() ?? false
            context.write(data, promise: promise)
        case .body where isHead, .end where isHead: promise?.succeed()
        case .head, .body, .end: context.write(data, promise: promise)
        }
    }
}
