import HelioCore
import HelioOpenSSL
import HelioSCTP
import HelioSimulation

/// One end of an association in the driver's role; it passes messages as the association accepts them.
struct AssociationPeer: ~Copyable, SimulatedPeer {
    struct Message: Hashable {
        var stream: UInt16
        var payload: [UInt8]
        var isOrdered = true
        var reliability = Reliability.reliable
    }

    var association: SCTPAssociation
    /// The messages still to be sent; the first one may have been refused.
    var outbox: [Message] = []
    private var sent = 0
    private(set) var received: [IncomingMessage] = []
    /// The streams whose buffered amount was reported as low.
    private(set) var low: [UInt16] = []
    /// All other outputs except datagrams and messages.
    private(set) var events: [SCTPAssociation.Output] = []
    private(set) var datagrams: [[UInt8]] = []
    var keepsDatagrams = false

    init(
        _ configuration: SCTPConfiguration = SCTPConfiguration(), seed: UInt64, firstTSN: UInt32? = nil
    ) throws {
        var generator = PlannedGenerator(seed: seed, firstTSN: firstTSN)
        association = try SCTPAssociation(
            configuration, crypto: OpenSSLCrypto(), using: &generator, now: .zero)
    }

    var isConnected: Bool { events.contains(.connected) }
    var hasSentAll: Bool { sent == outbox.count && association.isIdle }

    mutating func receive(_ datagram: [UInt8], now: Instant) {
        association.handle(.datagram(datagram), now: now)
        feed(now)
    }

    mutating func tick(now: Instant) {
        association.tick(now: now)
        feed(now)
    }

    mutating func pollDatagram(now: Instant) -> [UInt8]? {
        feed(now)
        while let output = association.poll() {
            switch output {
            case .datagram(let bytes):
                if keepsDatagrams { datagrams.append(bytes) }
                return bytes
            case .bufferedAmountLow(let stream): low.append(stream)
            case .message(let message): received.append(message)
            default: events.append(output)
            }
        }
        return nil
    }

    var deadline: Deadline? { association.deadline }

    private mutating func feed(_ now: Instant) {
        while sent < outbox.count {
            let message = outbox[sent]
            do {
                try association.send(
                    message.payload, stream: message.stream, protocolID: 53, isOrdered: message.isOrdered,
                    reliability: message.reliability, now: now)
                sent += 1
            } catch { return }
        }
    }
}

/// A seeded generator that fixes the first TSN, which an association draws after the cookie's key and its tag.
struct PlannedGenerator: RandomNumberGenerator {
    private var seeded: SeededGenerator
    private let firstTSN: UInt32?
    private var drawn = 0

    init(seed: UInt64, firstTSN: UInt32? = nil) {
        seeded = SeededGenerator(seed: seed)
        self.firstTSN = firstTSN
    }

    mutating func next() -> UInt64 {
        drawn += 1
        let number = seeded.next()
        if drawn == 34, let firstTSN { return UInt64(firstTSN) }
        return number
    }
}
