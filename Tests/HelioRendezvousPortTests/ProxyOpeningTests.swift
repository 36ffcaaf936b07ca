import HelioCore
import NIOCore
import NIOEmbedded
import Testing

@testable import HelioRendezvousPort

@Suite("The question to an HTTP proxy, and its answer")
struct ProxyOpeningTests {
    /// Stands for what speaks with the server.
    private final class Server: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private(set) var received = ""
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += String(buffer: unwrapInboundIn(data))
        }
    }

    private let channel = EmbeddedChannel()
    private let server = Server()

    private func ask(_ proxy: String = "http://anna:secret@proxy.example:3128") throws -> String {
        let proxy = try #require(HTTPProxy(parsing: proxy))
        let server = server
        try channel.pipeline.syncOperations.addHandler(
            ProxyOpening(proxy, server: "rendezvous.example:443") { [server] })
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 3128)).wait()
        let request = try #require(try channel.readOutbound(as: ByteBuffer.self))
        return String(buffer: request)
    }

    private func answer(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    @Test("asks for the server, with name and password if there are any")
    func request() throws {
        let lines = try ask().split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.prefix(2) == ["CONNECT rendezvous.example:443 HTTP/1.1", "Host: rendezvous.example:443"])
        #expect(lines.contains("Proxy-Authorization: Basic YW5uYTpzZWNyZXQ="))
        #expect(lines.suffix(2) == ["", ""])
    }

    @Test("an answer in pieces is waited for, and what comes behind it is the server's")
    func agrees() throws {
        #expect(try !ask("proxy.example").contains("Authorization"))
        for piece in ["HTTP/1.0 200 Conn", "ection established\r\nVia: x\r\n", "\r", "\nhel"] { try answer(piece) }
        #expect(server.received == "hel")
        try answer("lo\r\n\r\n")
        #expect(server.received == "hello\r\n\r\n")
        #expect(throws: (any Error).self) { try channel.pipeline.syncOperations.handler(type: ProxyOpening.self) }
    }

    @Test(
        "a refusal ends the connection, and says by which status",
        arguments: [
            ("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", 407), ("HTTP/1.1 403 No\r\n\r\n", 403),
            ("HTTP/1.1 302 Found\r\nLocation: http://portal.example/\r\n\r\n", 302), ("SSH-2.0-x\r\n\r\n", nil),
            ("HTTP/1.1\r\n\r\n", nil), (String(repeating: "x", count: 9000), nil),
        ] as [(String, Int?)])
    func refuses(text: String, status: Int?) throws {
        _ = try ask()
        let error = #expect(throws: ProxyOpening.Refused.self) { try answer(text) }
        #expect(error?.status == status)
        #expect(!channel.isActive)
        #expect(server.received.isEmpty)
    }
}
