import HelioCore
import HelioOpenSSL
import HelioSCTP
import HelioSimulation

/// One end's data channels in the driver's role.
struct ChannelPeer: ~Copyable, SimulatedPeer {
    var channels: DataChannels
    private(set) var events: [DataChannels.Output] = []
    /// True if received messages are sent back on their channel.
    var isEcho = false

    init(_ role: DataChannels.Role, _ configuration: DataChannelConfiguration, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        channels = try DataChannels(
            role: role, configuration, crypto: OpenSSLCrypto(), using: &generator, now: .zero)
    }

    mutating func receive(_ datagram: [UInt8], now: Instant) { channels.handle(.datagram(datagram), now: now) }
    mutating func tick(now: Instant) { channels.tick(now: now) }

    mutating func pollDatagram(now: Instant) -> [UInt8]? {
        while let output = channels.poll() {
            if case .datagram(let bytes) = output { return bytes }
            events.append(output)
            if isEcho, case .message(let id, let message) = output { try? channels.send(message, on: id, now: now) }
        }
        return nil
    }

    var deadline: Deadline? { channels.deadline }

    /// All events except `bufferedAmountLow`.
    var eventsButLow: [DataChannels.Output] {
        events.filter {
            if case .bufferedAmountLow = $0 { return false }
            return true
        }
    }

    func messages(on id: DataChannelID) -> [DataChannelMessage] {
        events.compactMap {
            guard case .message(id, let message) = $0 else { return nil }
            return message
        }
    }

    var opened: [DataChannelID] {
        events.compactMap {
            guard case .opened(let id, _) = $0 else { return nil }
            return id
        }
    }

    var closed: [DataChannelID] {
        events.compactMap {
            guard case .closed(let id) = $0 else { return nil }
            return id
        }
    }
}

/// Two ends with data channels; `a` is the DTLS client.
struct ChannelWorld: ~Copyable {
    var stepper: TwoPeerStepper<ChannelPeer, ChannelPeer>

    init(
        _ conditions: LinkConditions = LinkConditions(delay: .milliseconds(5)), seed: UInt64 = 1,
        _ configuration: DataChannelConfiguration = DataChannelConfiguration()
    ) throws {
        stepper = TwoPeerStepper(
            a: try ChannelPeer(.client, configuration, seed: seed &* 2),
            b: try ChannelPeer(.server, configuration, seed: seed &* 2 &+ 1),
            network: SimulatedNetwork(conditions, seed: seed))
        stepper.a.channels.connect(now: .zero)
        stepper.b.channels.connect(now: .zero)
    }

    var now: Instant { stepper.now }

    mutating func run(_ duration: Duration) throws { try stepper.run(for: duration) }
}
