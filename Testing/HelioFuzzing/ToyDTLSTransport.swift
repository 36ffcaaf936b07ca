internal import DequeModule
import HelioCore
import HelioProtection

/// One end of an association of ``ToyDTLS``.
final class ToyDTLSTransport: DTLSTransport {
    private enum State {
        case handshaking, connected, over
    }

    private(set) var drops = DropCounter<DTLSDrop>()
    private let hello: [UInt8]
    private let configuration: DTLSConfiguration
    private let limit: Instant
    private var retransmission: DTLSRetransmission
    private var state = State.handshaking
    private var outputs = Deque<DTLSOutput>()

    init(_ own: DTLSFingerprint, _ configuration: DTLSConfiguration, _ now: Instant) {
        hello = [ToyDTLS.hello] + own.bytes
        self.configuration = configuration
        limit = now + configuration.handshakeLimit
        retransmission = DTLSRetransmission(configuration.retransmission)
        guard configuration.role == .client else { return }
        outputs.append(.datagram(hello))
        retransmission.start(now: now)
    }

    var deadline: Deadline? {
        guard state == .handshaking else { return nil }
        let flight = retransmission.due.map { Deadline(at: $0, why: "hello unanswered") }
        return .earliest(flight, Deadline(at: limit, why: "end of the handshake"))
    }

    func handle(_ datagram: [UInt8], now: Instant) {
        guard state != .over else { return drops.count(.afterEnd) }
        switch datagram.first {
        case ToyDTLS.hello: take(hello: Array(datagram.dropFirst()))
        case ToyDTLS.data:
            guard state == .connected, datagram.count > 1 else { return drops.count(.clearData) }
            outputs.append(.data(Array(datagram.dropFirst())))
        case ToyDTLS.goodbye: end(state == .connected ? .closed : .failed(.closedByPeer))
        default: drops.count(.notDTLS)
        }
    }

    private func take(hello theirs: [UInt8]) {
        guard state == .handshaking else {
            // The peer repeats its hello, so this end's hello was lost.
            if configuration.role == .server { outputs.append(.datagram(hello)) }
            return drops.count(.oldEpoch)
        }
        let expected = DTLSFingerprint.deciding(among: configuration.expected)
        guard let peer = expected.first(where: { $0.bytes == theirs }) else { return end(.failed(.wrongFingerprint)) }
        state = .connected
        retransmission.stop()
        if configuration.role == .server { outputs.append(.datagram(hello)) }
        outputs.append(.connected(DTLSSession(peer: peer, srtp: keys, cipher: "none")))
    }

    /// The SRTP keys, which are constant and so insecure.
    private var keys: SRTPKeyPair? {
        guard let profile = configuration.srtpProfiles.first else { return nil }
        let exported = (0..<SRTPKeyPair.exportedLength(profile)).map { UInt8(truncatingIfNeeded: $0) }
        return SRTPKeyPair(profile, exported: SecretBytes(exported), role: configuration.role)
    }

    func tick(now: Instant) {
        guard state == .handshaking else { return }
        if now >= limit { return end(.failed(.timedOut)) }
        guard let due = retransmission.due, due <= now else { return }
        guard retransmission.backOff(now: now) else { return end(.failed(.timedOut)) }
        outputs.append(.datagram(hello))
    }

    func poll() -> DTLSOutput? { outputs.popFirst() }

    func send(_ data: [UInt8]) throws(DTLSError) {
        guard state == .connected else { throw .notConnected }
        guard (1...DTLSRecord.largestData).contains(data.count) else { throw .badLength(data.count) }
        outputs.append(.datagram([ToyDTLS.data] + data))
    }

    func close() {
        guard state != .over else { return }
        end(.closed)
    }

    private func end(_ event: DTLSOutput) {
        if state == .connected { outputs.append(.datagram([ToyDTLS.goodbye])) }
        state = .over
        retransmission.stop()
        outputs.append(event)
    }
}
