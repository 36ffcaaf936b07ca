import Foundation
import HelioCore
import HelioLoop
import HelioServing
import HelioStores
import HelioTLS
import HelioTestLanes
import HelioTestPrograms
import NIOCore
import NIOPosix
import Testing

/// The addresses are loopback addresses: all of 127.0.0.0/8 is this machine.
@Suite("Reaching a host that has several addresses", .timeLimit(.minutes(1)), .tags(.quiet))
final class HostDialerTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/heliograph-\(UUID().uuidString)"
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let host: Identity
    private let other: Identity

    init() throws {
        host = try Identity.loadOrCreate(in: folder + "/host")
        other = try Identity.loadOrCreate(in: folder + "/other")
    }

    deinit {
        try? group.syncShutdownGracefully()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Sends a greeting once TLS is established.
    private final class Greeter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "welcome")), promise: nil)
            context.fireChannelActive()
        }
    }

    /// Closes the connection after the first message.
    private final class Caller: HostDialerDelegate {
        let answer: EventLoopPromise<(address: String, fingerprint: [UInt8])>
        private let word: AsyncThrowingStream<String, any Error>.Continuation
        private var channel: (any Channel)?

        init(
            _ word: AsyncThrowingStream<String, any Error>.Continuation,
            _ answer: EventLoopPromise<(address: String, fingerprint: [UInt8])>
        ) {
            self.word = word
            self.answer = answer
        }

        func opened(_ host: HostDialer.Answer) {
            channel = host.channel
            answer.succeed((host.address, host.fingerprint))
        }

        func received(_ bytes: [UInt8]) {
            word.yield(String(decoding: bytes, as: UTF8.self))
            channel?.close(promise: nil)
        }

        func closed(_ error: (any Error)?) { word.finish() }
    }

    /// - Parameters:
    ///   - port: `nil` chooses a port that is free at all addresses.
    ///   - identity: `nil` accepts connections and sends nothing.
    /// - Returns: the listening port.
    private func listen(_ address: String, _ port: Int? = nil, as identity: Identity?) async throws -> Int {
        let port = try port ?? Int(#require(LoopbackPort.find()))
        let tls = try identity.map { try TLSServerContext($0.key) }
        let channel = try await StreamListener.bind(host: address, port: port, on: group.next()) { channel in
            guard let tls else { return }
            try channel.pipeline.syncOperations.addHandlers([tls.handler(), Greeter()])
        }.get()
        return try #require(channel.localAddress?.port)
    }

    /// - Returns: the address of the successful connection, the fingerprint seen there, and the host's first message.
    private func dial(
        _ addresses: String..., port: Int, anybody: Bool = false
    ) async throws -> (address: String, fingerprint: [UInt8], word: String) {
        let loop = group.next()
        let (words, word) = AsyncThrowingStream.makeStream(of: String.self)
        let whom = HostDialer.Whom(
            addresses, port: UInt16(port),
            certificate: anybody ? nil : .init(host.fingerprint) { HelioError(.refused, "\($0) is another") })
        let tls = try TLSClientContext()
        let answer = try await loop.flatSubmit {
            let caller = Caller(word, loop.makePromise())
            let answer = caller.answer
            HostDialer(whom, tls, on: loop, delegate: caller).dial().whenFailure { answer.fail($0) }
            return answer.futureResult
        }.get()
        var all = ""
        for try await word in words { all += word }
        return (answer.address, answer.fingerprint, all)
    }

    @Test("one address is enough")
    func one() async throws {
        let port = try await listen("127.0.0.1", as: host)
        let answer = try await dial("127.0.0.1", port: port)
        #expect(answer == ("127.0.0.1", host.fingerprint, "welcome"))
    }

    @Test("where nobody listens at the first, the second is taken")
    func refused() async throws {
        let port = try await listen("127.0.0.2", as: host)
        #expect(try await dial("127.0.0.1", "127.0.0.2", port: port).address == "127.0.0.2")
    }

    @Test("who has another certificate is passed over")
    func another() async throws {
        let port = try await listen("127.0.0.1", as: other)
        _ = try await listen("127.0.0.2", port, as: other)
        _ = try await listen("127.0.0.3", port, as: host)
        let answer = try await dial("127.0.0.1", "127.0.0.2", "127.0.0.3", port: port)
        #expect(answer == ("127.0.0.3", host.fingerprint, "welcome"))
    }

    @Test("who takes connections and says nothing is not waited for")
    func silent() async throws {
        let port = try await listen("127.0.0.1", as: nil)
        _ = try await listen("127.0.0.2", port, as: host)
        #expect(try await dial("127.0.0.1", "127.0.0.2", port: port).address == "127.0.0.2")
    }

    @Test("without a fingerprint the first that answers is taken, and its own is told")
    func anybody() async throws {
        let port = try await listen("127.0.0.1", as: other)
        _ = try await listen("127.0.0.2", port, as: host)
        let answer = try await dial("127.0.0.1", "127.0.0.2", port: port, anybody: true)
        #expect(answer == ("127.0.0.1", other.fingerprint, "welcome"))
    }

    @Test("an attempt that is given up fails at once, though who takes connections may still say something")
    func abandoned() async throws {
        let port = try await listen("127.0.0.1", as: nil)
        let loop = group.next()
        let tls = try TLSClientContext()
        let whom = HostDialer.Whom(["127.0.0.1"], port: UInt16(port))
        let error = await #expect(throws: HelioError.self) {
            try await loop.flatSubmit {
                let caller = Caller(AsyncThrowingStream.makeStream(of: String.self).continuation, loop.makePromise())
                let answer = caller.answer
                let dialer = HostDialer(whom, tls, on: loop, delegate: caller)
                let dialled = dialer.dial()
                dialled.whenFailure { answer.fail($0) }
                dialer.abandon()
                return dialled
            }.get()
        }
        #expect(error?.code == .ended)
    }

    @Test("where none is the host, somebody else at one of them is told of before nobody at another")
    func none() async throws {
        let port = try await listen("127.0.0.2", as: other)
        let error = await #expect(throws: HelioError.self) { try await dial("127.0.0.1", "127.0.0.2", port: port) }
        #expect(error?.code == .refused)
        #expect(error?.message == "127.0.0.2:\(port) is another")
    }

    @Test("where nobody is at any, the first is told of", arguments: [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")])
    func nobody(address: String, told: String) async throws {
        let port = try await listen("127.0.0.3", as: host)
        let error = await #expect(throws: HelioError.self) { try await dial(address, "127.0.0.2", port: port) }
        #expect(error?.code == .unreachable)
        #expect(error?.message.hasPrefix("\(told):\(port) can't be reached") == true)
    }
}
