internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import RecordFormat
internal import TraceStore

/// Looks at the head of a request as it was received, before it becomes values that no longer show what was wrong with it: two
/// programs that read such a head in two ways let one request hide in another.
final class RequestFramingHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasRefused else { return }
        if case .head(let head) = unwrapInboundIn(data) {
            do throws(ProtocolError) { try Self.check(head) } catch { return refuse(error, context) }
        }
        context.fireChannelRead(data)
    }

    private static func check(_ head: HTTPRequestHead) throws(ProtocolError) {
        _ = try RequestFraming.body(
            of: head.headers, isVersion10: head.version.major == 1 && head.version.minor == 0)
        guard head.uri.utf8.first == UInt8(ascii: "/") || head.uri == "*" else {
            throw ProtocolError(
                .targetNotPath, "the request is not for a path",
                hint: "send the path alone, which begins with '/'; this is not a proxy")
        }
    }

    /// Answers, and ends the connection: where the next request begins is not known.
    private func refuse(_ error: ProtocolError, _ context: ChannelHandlerContext) {
        hasRefused = true
        let answer = AnswerFields.complete(Problem(error).answer(id: IDGenerator.next()))
        let status = HTTPResponseStatus(statusCode: error.code.status)
        var headers = HTTPHeaders([("connection", "close")])
        for field in answer.fields { headers.add(name: field.name.rawName, value: field.value) }
        guard case .bytes(let body) = answer.body else { return context.close(promise: nil) }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }
}
