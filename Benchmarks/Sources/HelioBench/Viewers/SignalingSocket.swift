import HelioCore
import HelioRemoteWire
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

/// A viewer's WebSocket (docs/web/protocol.md), opened as by a browser from the host's page.
final class SignalingSocket: Sendable {
    /// The host's messages; the stream ends with the connection.
    let messages: AsyncStream<SignalingMessage>
    private let channel: any Channel

    /// Opens the WebSocket; throws `unreachable` if there is no answer or the upgrade fails.
    static func open(_ page: PageLink) async throws(HelioError) -> SignalingSocket {
        let (messages, told) = AsyncStream.makeStream(of: SignalingMessage.self)
        var headers = HTTPHeaders()
        headers.add(name: "Host", value: page.authority)
        headers.add(name: "Origin", value: page.origin)
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/signaling", headers: headers)
        do {
            let upgrade = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: page.host, port: page.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let upgrader = NIOTypedWebSocketClientUpgrader<(any Channel)?>(
                            maxFrameSize: SignalingMessage.maximumSize
                        ) { channel, _ in
                            channel.eventLoop.makeCompletedFuture {
                                try channel.pipeline.syncOperations.addHandler(TextFrames(told))
                                return channel
                            }
                        }
                        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
                            configuration: .init(
                                upgradeConfiguration: NIOTypedHTTPClientUpgradeConfiguration(
                                    upgradeRequestHead: head, upgraders: [upgrader],
                                    notUpgradingCompletionHandler: { $0.eventLoop.makeSucceededFuture(nil) })))
                    }
                }
            guard let channel = try await upgrade.get() else { throw NoUpgrade() }
            return SignalingSocket(messages, channel)
        } catch {
            throw HelioError(.unreachable, "There is no WebSocket at \(page.origin)/signaling (\(error))", cause: error)
        }
    }

    private struct NoUpgrade: Error {}

    private init(_ messages: AsyncStream<SignalingMessage>, _ channel: any Channel) {
        self.messages = messages
        self.channel = channel
    }

    func send(_ message: SignalingMessage) {
        channel.writeAndFlush(TextFrames.frame(message), promise: nil)
    }

    func close() { channel.close(promise: nil) }
}

/// One message per frame, as browsers and the host send them.
private final class TextFrames: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let told: AsyncStream<SignalingMessage>.Continuation

    init(_ told: AsyncStream<SignalingMessage>.Continuation) {
        self.told = told
    }

    static func frame(_ message: SignalingMessage) -> WebSocketFrame {
        WebSocketFrame(
            fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(bytes: message.serialised()))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text:
            // An unreadable message counts as silence: the viewer's time-out ends the session.
            if let message = try? SignalingMessage(parsing: Array(frame.unmaskedData.readableBytesView)) {
                told.yield(message)
            }
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose: context.close(promise: nil)
        default: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) { told.finish() }
}
