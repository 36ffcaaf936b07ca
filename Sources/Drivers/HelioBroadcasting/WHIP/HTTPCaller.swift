import HelioBroadcast
import HelioCore
import HelioLoop
import HelioTLS
import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends HTTP/1.1 requests, one at a time, each on a connection of its own. Lives on one event loop.
final class HTTPCaller {
    private static let connectTimeout = TimeAmount.seconds(5)

    private let address: WHIPAddress
    private let loop: any EventLoop
    /// The check of the server's certificate; `nil` until `prepare` makes it.
    private var trust: ServerTrust?
    private var connection: (any Channel)?
    /// The number of the current request, by which results of cancelled requests are recognised.
    private var generation = 0
    /// The address to which the last initial request was sent.
    private var place: SocketAddress?

    /// The server's address from the last initial request; `nil` before one has connected.
    var server: IPAddress? { place.flatMap { PathID($0) }?.ip.unmapped }

    init(_ address: WHIPAddress, on loop: any EventLoop) {
        self.address = address
        self.loop = loop
    }

    /// Prepares TLS. Throws `systemFailed` if TLS can't be set up.
    func prepare() throws(HelioError) { if trust == nil { trust = try ServerTrust(fingerprint: address.fingerprint) } }

    /// Sends a request, and cancels the previous request.
    ///
    /// - Parameter done: called on the loop with the answer, unless the request is cancelled.
    func send(_ request: WHIPRequest, done: @escaping (WHIPExchange.Input) -> Void) {
        cancel()
        let own = generation
        let bound = NIOLoopBound((self, done), eventLoop: loop)
        let target = request.target
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTimeout)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let (caller, done) = bound.value
                    let pipeline = channel.pipeline.syncOperations
                    if target.isSecure {
                        try caller.prepare()
                        if let trust = caller.trust { try pipeline.addHandler(trust.handler(to: target.host)) }
                    }
                    try pipeline.addHandlers([
                        HTTPRequestEncoder(), ByteToMessageHandler(HTTPResponseDecoder()),
                        HTTPAnswerHandler { result in caller.answered(result, own, done) },
                    ])
                }
            }
        // Later requests are sent to the same address: the name may meanwhile resolve to another machine, which must
        // not receive them.
        let known = request.isFirst ? nil : place
        (known.map { bootstrap.connect(to: $0) } ?? bootstrap.connect(host: target.host, port: Int(target.port)))
            .whenComplete { result in
                let (caller, done) = bound.value
                switch result {
                case .success(let channel):
                    if request.isFirst { caller.place = channel.remoteAddress }
                    caller.connected(channel, request, own)
                case .failure(let error): caller.answered(.failure(error), own, done)
                }
            }
    }

    /// Cancels the current request, if there is one.
    func cancel() {
        generation += 1
        connection?.close(promise: nil)
        connection = nil
    }

    private func connected(_ channel: any Channel, _ request: WHIPRequest, _ own: Int) {
        guard own == generation else { return channel.close(promise: nil) }
        connection = channel
        var headers = HTTPHeaders(request.fields.map { ($0.name, $0.value) })
        headers.add(name: "Host", value: request.target.authority)
        headers.add(name: "User-Agent", value: "Heliograph/\(HeliographVersion.text)")
        headers.add(name: "Connection", value: "close")
        if request.method == .post { headers.add(name: "Content-Length", value: "\(request.body.count)") }
        let head = HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: request.method.rawValue), uri: request.target.path,
            headers: headers)
        // A failed write closes the connection, which then reports its end.
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        if !request.body.isEmpty {
            channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: request.body))), promise: nil)
        }
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    private func answered(
        _ result: Result<WHIPResponse, any Error>, _ own: Int, _ done: (WHIPExchange.Input) -> Void
    ) {
        guard own == generation else { return }
        generation += 1
        let wasConnected = connection != nil
        connection = nil
        switch result {
        case .success(let response): done(.response(response))
        case .failure(let error): done(.broken(why(error, wasConnected: wasConnected)))
        }
    }

    private func why(_ error: any Error, wasConnected: Bool) -> WHIPBreak {
        switch error {
        case let error as NIOConnectionError: error.connectionErrors.isEmpty ? .unresolved : .unreachable
        case is TLSError: trust?.refusal(error).map { WHIPBreak($0) } ?? .noTLS
        case is HelioError: .noTLS
        case HTTPParserError.invalidEOFState: .lost
        // Errors of the system and of SwiftNIO concern the connection; all other errors concern the answer.
        case is IOError, is ChannelError: wasConnected ? .lost : .unreachable
        default: .malformed
        }
    }
}
