import HelioCore
import HelioICE
import HelioOpenSSL
import HelioPeer
import HelioPeerPort
import HelioProtection
import HelioSCTP
import NIOCore
import NIOPosix

/// One peer connection of a port on loopback, and its events.
final class PortEnd: Sendable {
    static let loop = MultiThreadedEventLoopGroup.singleton.next()
    private static let identity = Result { () throws in try OpenSSLDTLS(DTLSIdentity()) }

    let port: PeerPort
    let peer: PeerHandle
    let events: AsyncStream<PeerConnectionEvent>

    static func settings(udp: Bool = true, tcp: Bool = true) -> PeerPortSettings {
        var settings = PeerPortSettings()
        settings.addresses = [.v4(0x7F00_0001)]
        settings.usesUDP = udp
        settings.usesTCP = tcp
        return settings
    }

    init(
        on port: PeerPort, _ configuration: PeerConnectionConfiguration = PeerConnectionConfiguration()
    ) async throws {
        let dtls = try Self.identity.get()
        let (events, said) = AsyncStream.makeStream(of: PeerConnectionEvent.self)
        self.port = port
        self.events = events
        peer = try await port.add(
            { now in
                PeerEngine(
                    configuration, crypto: OpenSSLCrypto(), certificates: dtls, random: SecureGenerator(), now: now)
            },
            onEvent: { said.yield($0) })
    }

    convenience init(_ settings: PeerPortSettings = PortEnd.settings(), isLite: Bool = false) async throws {
        var configuration = PeerConnectionConfiguration()
        configuration.isLite = isLite
        try await self.init(on: PeerPort.open(settings, on: Self.loop), configuration)
    }

    /// Waits for a matching event; those before it are discarded.
    func wait<Value>(for meaning: (PeerConnectionEvent) -> Value?) async throws -> Value {
        for await event in events {
            if let value = meaning(event) { return value }
        }
        throw Silence()
    }

    struct Silence: Error {}

    /// Waits for an open channel, opened by either end.
    func channel() async throws -> PeerChannelID {
        try await wait { if case .channelOpened(let channel, _, _) = $0 { channel } else { nil } }
    }

    func message() async throws -> DataChannelMessage {
        try await wait { if case .message(_, let message) = $0 { message } else { nil } }
    }

    func state(_ state: PeerConnectionState) async throws {
        try await wait { if case .state(state) = $0 { () } else { nil } }
    }

    func say(_ text: String, on channel: PeerChannelID) async throws {
        try await peer.run { try $0.send(.text(Array(text.utf8)), on: channel, now: $1) }
    }

    /// Returns an offer with all candidates, which a port on loopback has from the start.
    func offer(restartsICE: Bool = false) async throws -> String {
        try await peer.run { connection, now in
            _ = try connection.makeOffer(restartsICE: restartsICE, now: now)
            return connection.localDescription ?? ""
        }
    }

    func answer(_ offer: String) async throws -> String {
        try await peer.run { connection, now in
            try connection.takeOffer(offer, now: now)
            _ = try connection.makeAnswer(now: now)
            return connection.localDescription ?? ""
        }
    }

    func take(answer: String) async throws {
        try await peer.run { try $0.takeAnswer(answer, now: $1) }
    }

    /// Connects to another end; this end makes the offer, with a channel.
    ///
    /// - Returns: the channel's identifiers at this end and at the other.
    func connect(to other: PortEnd) async throws -> (PeerChannelID, PeerChannelID) {
        _ = try await peer.run { try $0.openChannel(DataChannelDescription(label: "test"), now: $1) }
        try await take(answer: other.answer(offer()))
        return (try await channel(), try await other.channel())
    }

    /// Waits until the other end has closed the connection.
    static func isClosed(_ channel: any Channel) async throws {
        // A future has no time-out: the test's time limit cancels this task.
        try await withTaskCancellationHandler {
            try await channel.closeFuture.get()
        } onCancel: {
            channel.close(promise: nil)
        }
        try Task.checkCancellation()
    }

    func path() async throws -> TransportAddress? { try await peer.run { connection, _ in connection.path?.base } }
}
