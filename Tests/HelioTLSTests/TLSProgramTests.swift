import Foundation
import HelioOpenSSL
import HelioTLS
import HelioTestLanes
import HelioTestPrograms
import NIOCore
import NIOPosix
import Testing

@Suite("TLS with the openssl program", .timeLimit(.minutes(2)), .tags(.quiet))
struct TLSProgramTests {
    /// Echoes received bytes, and closes when the other end does.
    private final class Echo: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.writeAndFlush(wrapOutboundOut(unwrapInboundIn(data)), promise: nil)
        }
    }

    /// Reports received bytes.
    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let heard: AsyncThrowingStream<String, any Error>.Continuation
        init(_ heard: AsyncThrowingStream<String, any Error>.Continuation) { self.heard = heard }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            heard.yield(String(buffer: unwrapInboundIn(data)))
        }
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            heard.finish(throwing: error)
            context.close(promise: nil)
        }
        func channelInactive(context: ChannelHandlerContext) { heard.finish() }
    }

    private let group = MultiThreadedEventLoopGroup.singleton

    @Test("as server: text both ways, new keys, and its good-bye", arguments: ["-tls1_3", "-tls1_2"])
    func server(version: String) async throws {
        let identity = try CertifiedKey(selfSigned: "Heliograph", lifetime: .seconds(3600))
        let context = try TLSServerContext(identity, from: .tls12)
        let listener = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([context.handler(), Echo()])
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        let program = try OpenSSLProgram(["s_client", "-connect", "127.0.0.1:\(port)", version])
        #expect(try program.rest(after: "CN = ") == "Heliograph")
        _ = try program.rest(after: "Verify return code: ")
        try program.write("from the program\n")
        _ = try program.rest(after: "from the prog")
        if version == "-tls1_3" {
            try program.write("K\n")
            _ = try program.rest(after: "KEYUPDATE")
            try program.write("and again\n")
            _ = try program.rest(after: "and ag")
        }
        try program.write("Q\n")
        _ = try program.rest(after: "DONE")
        try await listener.close().get()
    }

    private func serve(_ options: [String]) throws -> (program: OpenSSLProgram, port: Int, folder: URL) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (key, certificate) = (folder.appending(path: "key.pem").path, folder.appending(path: "cert.pem").path)
        try Tool.run([
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=peer", "-days", "2", "-addext",
            "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
        ])
        let program = try OpenSSLProgram(
            ["s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate] + options)
        return (program, try #require(Int(try program.rest(after: "ACCEPT 127.0.0.1:"))), folder)
    }

    private func connect(
        to port: Int, _ handler: @escaping @Sendable () throws -> TLSHandler
    ) async throws -> (channel: any Channel, words: AsyncThrowingStream<String, any Error>) {
        let (words, heard) = AsyncThrowingStream.makeStream(of: String.self)
        let channel = try await ClientBootstrap(group: group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([handler(), Listener(heard)])
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return (channel, words)
    }

    @Test(
        "as client: text both ways, and good-byes",
        arguments: [["-tls1_3"], ["-tls1_2"], ["-tls1_2", "-cipher", "AES128-SHA"]])
    func client(options: [String]) async throws {
        let (program, port, folder) = try serve(options)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "cert.pem").path
        let context = try TLSClientContext(from: .tls12, authorities: .file(file))
        let (channel, words) = try await connect(to: port) { try context.handler(server: "127.0.0.1") }
        try await channel.writeAndFlush(ByteBuffer(string: "from the library\n")).get()
        #expect(try program.rest(after: "from the ") == "library")
        try program.write("from the program\n")
        var heard = ""
        for try await word in words {
            heard += word
            if heard == "from the program\n" { break }
        }
        try await channel.close().get()
        _ = try program.rest(after: "DONE")
    }

    @Test("a program that is not to be trusted, or too old, is refused")
    func refused() async throws {
        let (program, port, folder) = try serve(["-tls1_2"])
        defer { try? FileManager.default.removeItem(at: folder) }
        let system = try TLSClientContext(from: .tls12, authorities: .system)
        let stranger = try await connect(to: port) { try system.handler(server: "127.0.0.1") }
        await #expect(throws: TLSError.certificateRefused("self-signed certificate")) {
            for try await _ in stranger.words {}
        }
        let newest = try TLSClientContext()
        let old = try await connect(to: port) { try newest.handler { _ in true } }
        await #expect(throws: TLSError.alert(70)) { for try await _ in old.words {} }
        _ = try program.rest(after: "unsupported protocol")
    }
}
