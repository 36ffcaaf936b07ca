import HelioCore
import HelioHost
import HelioOpenSSL
import HelioProtection
import HelioRemoteWire
import HelioRendezvous
import HelioRendezvousWire
import HelioSignaling
import HelioTunnel
import NIOCore
import NIOEmbedded
import Testing

@Suite("Browsers' calls as connections of a signalling service")
struct RemoteSignalingTests {
    /// A page's end of a call and the service at the host's, on one embedded loop.
    ///
    /// Unchecked, as everything is used on the test's thread alone.
    private final class World: @unchecked Sendable {
        let loop = EmbeddedEventLoop()
        let device = RendezvousID([UInt8](repeating: 3, count: 16))!
        let secret = SecretBytes([UInt8](repeating: 7, count: 10))
        private(set) var log: [String] = []
        private(set) var connections: [RemoteSignalingConnection] = []
        private(set) var tunnels: HostTunnels!
        private(set) var service: RemoteSignalingService!
        /// The page's end of the last call.
        private(set) var page: SealedCall!
        private(set) var call: JoinedCall!
        /// The messages that the page has received.
        private(set) var heard: [String] = []
        private(set) var hungUp: [HangUpReason] = []

        init() throws {
            var host = HostTunnels.Host(
                secret: { [secret] _ in secret }, adopt: { _, _, _ in }, received: { _, _, _ in })
            host.browser = { [weak self] in self?.service.serve($0, $1, from: $2, $3) }
            tunnels = HostTunnels(
                device, port: nil, certificates: try OpenSSLDTLS(DTLSIdentity()), settings: TunnelSettings(),
                host: host, on: loop)
            service = RemoteSignalingService(on: loop) { [weak self] in self?.tunnels.released($0) }
        }

        func begin() {
            service.begin { [unowned self] event in
                switch event {
                case .opened(let connection):
                    log.append("opened \(connection.id) \(connection.remoteAddress) \(connection.isSecure)")
                    if let connection = connection as? RemoteSignalingConnection { connections.append(connection) }
                case .message(let connection, let bytes):
                    log.append("\(connection.id): \(String(decoding: bytes, as: UTF8.self))")
                case .closed(let connection): log.append("closed \(connection.id)")
                }
            }
        }

        /// Calls the host.
        func ring() throws {
            let call = JoinedCall(on: loop) { [unowned self] call, token in
                guard let tag = try? CallKeys.tag(of: token, OpenSSLCrypto()) else { return }
                tunnels.rung(call.host, tag: tag, address: "203.0.113.9", turn: [])
            }
            self.call = call
            var random = SecureGenerator()
            let page = SealedCall(
                call.ringer,
                sealer: try CallSealer(ringing: secret, device: device, crypto: OpenSSLCrypto(), random: &random))
            self.page = page
            page.onBytes = { [unowned self] in heard.append(String(decoding: $0, as: UTF8.self)) }
            page.onEvent = { [unowned self] in if case .hungUp(let reason) = $0 { hungUp.append(reason) } }
            page.ring(device, try CallKeys.token(of: secret, for: device, OpenSSLCrypto()))
            loop.run()
        }

        func say(_ text: String) {
            page.send(Array(text.utf8))
            loop.run()
        }

        func hello() throws {
            try ring()
            say(RemoteSignalingTests.hello)
        }
    }

    private static let hello = String(
        decoding: SignalingMessage.hello(
            .init(
                nonce: [UInt8](repeating: 1, count: 16), fingerprint: [UInt8](repeating: 2, count: 32),
                name: "Chrome")
        ).serialised(), as: UTF8.self)

    @Test("A call is a connection: opened, its messages as they are, and closed")
    func connection() throws {
        let world = try World()
        world.begin()
        try world.hello()
        world.say("no message of any protocol")
        #expect(world.log == ["opened 1 203.0.113.9 true", "1: \(Self.hello)", "1: no message of any protocol"])
        let connection = try #require(world.connections.first)
        connection.send(Array("welcome".utf8))
        connection.send(Array("more".utf8))
        world.loop.run()
        #expect(world.heard == ["welcome", "more"])
        world.page.hangUp(.ended)
        world.loop.run()
        #expect(world.log.last == "closed 1")
        #expect(world.tunnels.count == 0)
        connection.send([1])
        connection.close()
        world.loop.run()
        #expect(world.log.count == 4)
        let statistics = world.service.currentStatistics
        #expect(statistics.connections == 0 && statistics.messagesReceived == 2 && statistics.messagesSent == 2)
        #expect(statistics.drops.isEmpty)
    }

    @Test("A connection that the host closes is told on a later tick, after what was sent before")
    func closing() throws {
        let world = try World()
        world.begin()
        try world.hello()
        let connection = try #require(world.connections.first)
        connection.send(Array("bye".utf8))
        connection.close()
        #expect(world.log.last?.hasPrefix("1: ") == true, "nothing is told from within a call")
        world.loop.run()
        #expect(world.log.last == "closed 1")
        #expect(world.heard == ["bye"] && world.hungUp == [.ended])
        #expect(world.tunnels.count == 0)
    }

    @Test("Calls have numbers of their own; the end of the service ends all, and it takes no more")
    func end() throws {
        let world = try World()
        world.begin()
        try world.hello()
        try world.hello()
        #expect(world.service.currentStatistics.connections == 2 && world.tunnels.count == 2)
        world.service.end()
        world.loop.run()
        #expect(world.log.suffix(2) == ["closed 1", "closed 2"])
        #expect(world.tunnels.count == 0)
        try world.hello()
        world.loop.run()
        #expect(world.hungUp.last == .busy)
        #expect(world.tunnels.count == 0)
        #expect(world.service.currentStatistics.drops == ["not-serving": 1])
    }

    @Test("A rendezvous that spoils a message, and a page that sends no UTF-8, end the connection")
    func spoiled() throws {
        let world = try World()
        world.begin()
        try world.hello()
        world.call.host.onEvent?(.message([UInt8](repeating: 1, count: 60)))
        world.loop.run()
        #expect(world.log.last == "closed 1")
        try world.hello()
        world.page.send([0xC3, 0x28])
        world.loop.run()
        #expect(world.log.last == "closed 2" && world.hungUp.last == .protocolError)
        try world.hello()
        world.page.send(data: [1, 2, 3])
        world.loop.run()
        #expect(world.log.last?.hasPrefix("3: ") == true, "a datagram is no harm")
        let drops = world.service.currentStatistics.drops
        #expect(drops == ["violated": 1, "malformed-text": 1, "datagram": 1])
        #expect(world.tunnels.count == 1)
    }
}
