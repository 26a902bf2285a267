internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import RecordFormat
internal import TraceStore
internal import TraceText

/// Looks at the head of a request as it was received, before it becomes values that no longer show what was wrong with it: two
/// programs that read such a head in two ways let one request hide in another. Says what is wrong with such a head, and with
/// one that the parser could not read.
///
/// Where the next request begins is not known then, so the connection ends with the answer. The answer must not overtake those to
/// the requests before: it goes where the parser's errors go, through the stream of requests, at whose end HummingbirdCore answers
/// 400 without a body and ends the connection. This handler replaces that answer.
final class RequestFramingHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Why no further request is read.
    private var refusal: ProtocolError?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard refusal == nil else { return }
        if case .head(let head) = unwrapInboundIn(data) {
            do throws(ProtocolError) { try Self.check(head) } catch {
                refusal = error
                return context.fireErrorCaught(HTTPParserError.unknown)
            }
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? HTTPParserError, refusal == nil { refusal = ProtocolError(error) }
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let refusal, case .head(let head) = unwrapOutboundIn(data), head.status == .badRequest,
            head.headers["content-length"] == ["0"]
        else { return context.write(data, promise: promise) }
        let answer = ResponseFields.complete(Problem(refusal).answer(id: IDGenerator.next()))
        guard case .bytes(let body) = answer.body else { return context.write(data, promise: promise) }
        var headers = HTTPHeaders([("connection", "close")])
        for field in answer.fields { headers.add(name: field.name.rawName, value: field.value) }
        let status = HTTPResponseStatus(statusCode: refusal.code.meaning.http)
        let refusedHead = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(refusedHead)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: promise)
    }

    private static func check(_ head: HTTPRequestHead) throws(ProtocolError) {
        _ = try RequestFraming.body(
            of: head.headers, isVersion10: head.version.major == 1 && head.version.minor == 0)
        guard head.uri.utf8.first == UInt8(ascii: "/") || head.uri == "*" else {
            throw ProtocolError(
                .targetNotPath, "the target of the request is not a path",
                cure: "send the path alone, beginning with '/'; this server is not a proxy")
        }
    }
}

extension ProtocolError {
    /// What the parser did not take, as far as it says.
    fileprivate init(_ error: HTTPParserError) {
        switch error {
        case .headerOverflow: self = RequestFraming.tooLarge
        case .invalidVersion:
            self.init(.framingMalformed, "the request is not HTTP/1.1", cure: "use HTTP/1.1")
        default:
            self.init(
                .framingMalformed, "the request can't be parsed",
                cure: "send a request line and header fields as in HTTP/1.1, each line ended by CR LF")
        }
    }
}
