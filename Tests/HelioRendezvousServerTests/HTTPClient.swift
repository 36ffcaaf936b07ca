import Foundation
import NIOCore
import NIOPosix

/// Sends requests, and reads all that comes until the server closes the connection.
enum HTTPClient {
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private var bytes = ByteBuffer()
        private let done: EventLoopPromise<String>
        init(_ done: EventLoopPromise<String>) { self.done = done }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var piece = unwrapInboundIn(data)
            bytes.writeBuffer(&piece)
        }
        func channelInactive(context: ChannelHandlerContext) { done.succeed(String(buffer: bytes)) }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    static func request(_ path: String, method: String = "GET", _ lines: [String] = []) -> String {
        (["\(method) \(path) HTTP/1.1", "Host: localhost"] + lines + ["", ""]).joined(separator: "\r\n")
    }

    /// The request of a device's WebSocket.
    static func upgrade(host: String = "localhost", _ lines: [String] = []) -> String {
        (["GET /device HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade"]
            + ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="] + lines + ["", ""])
            .joined(separator: "\r\n")
    }

    /// - Parameter bytes: sent right behind the request.
    /// - Returns: the status and the text behind the head.
    static func ask(
        _ text: String, then bytes: [UInt8] = [], port: Int
    ) async throws -> (status: Int, body: String, head: String) {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let done = loop.makePromise(of: String.self)
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: loop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Reader(done))
                    }
                }
                .connect(host: "127.0.0.1", port: port).get()
        } catch {
            done.fail(error)
            throw error
        }
        channel.writeAndFlush(ByteBuffer(bytes: Array(text.utf8) + bytes), promise: nil)
        let answer = try await done.futureResult.get()
        let status = answer.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        guard let end = answer.range(of: "\r\n\r\n") else { return (status, "", answer) }
        return (status, String(answer[end.upperBound...]), String(answer[..<end.lowerBound]))
    }
}
