internal import HelioCore
internal import NIOCore

/// Asks an HTTP proxy for a connection to a server (RFC 9110 section 9.3.6), and puts the handlers of that connection in
/// its own place once the proxy agrees.
final class ProxyOpening: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The proxy refuses, or its answer is no HTTP.
    struct Refused: Error {
        /// The status of its answer; `nil` without one.
        let status: Int?
    }

    /// The most bytes of the proxy's answer.
    static let longestAnswer = 8 << 10
    private static let end: [UInt8] = Array("\r\n\r\n".utf8)

    private let request: String
    private let makeHandlers: () throws -> [any ChannelHandler]
    private var answer: [UInt8] = []
    private var hasAsked = false
    private var isOver = false

    /// - Parameters:
    ///   - server: the server's host and port.
    ///   - makeHandlers: called once the proxy agrees; makes the handlers of the connection to the server.
    init(_ proxy: HTTPProxy, server: String, makeHandlers: @escaping () throws -> [any ChannelHandler]) {
        let authorization = proxy.authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
        request =
            "CONNECT \(server) HTTP/1.1\r\nHost: \(server)\r\nUser-Agent: Heliograph/\(HeliographVersion.text)\r\n"
            + "\(authorization)\r\n"
        self.makeHandlers = makeHandlers
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { ask(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        ask(context)
        context.fireChannelActive()
    }

    private func ask(_ context: ChannelHandlerContext) {
        if hasAsked { return }
        hasAsked = true
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What comes after the answer is the server's, and has other handlers.
        guard !isOver else { return context.fireChannelRead(data) }
        answer += unwrapInboundIn(data).readableBytesView
        guard let end = answer.firstRange(of: Self.end) else {
            if answer.count > Self.longestAnswer { refuse(context, Refused(status: nil)) }
            return
        }
        let status = Self.status(answer[..<end.lowerBound])
        guard let status, (200..<300).contains(status) else { return refuse(context, Refused(status: status)) }
        isOver = true
        let early = context.channel.allocator.buffer(bytes: answer[end.upperBound...])
        answer = []
        do {
            let operations = context.pipeline.syncOperations
            try operations.addHandlers(makeHandlers(), position: .after(self))
            if early.readableBytes > 0 { context.fireChannelRead(NIOAny(early)) }
            operations.removeHandler(context: context, promise: nil)
        } catch {
            refuse(context, error)
        }
    }

    /// Returns the status of an answer's first line, `HTTP/1.1 200 …` (RFC 9112 section 4).
    private static func status(_ answer: ArraySlice<UInt8>) -> Int? {
        let line = String(decoding: answer.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        let words = line.split(separator: " ")
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3 else { return nil }
        return Int(words[1])
    }

    private func refuse(_ context: ChannelHandlerContext, _ error: any Error) {
        isOver = true
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }
}
