import HelioCore
import HelioICE
import HelioOpenSSL
import HelioPeer
import HelioProtection
import HelioSCTP
import HelioSDP

/// Two peer connections in one process and on one thread, with real DTLS.
///
/// Wired by memory, datagrams arrive at once, and the time is the machine's without waits: if there is nothing to do
/// before a timer, the clock is advanced. Wired by UDP, each datagram passes the kernel.
final class PeerPair {
    let a: PeerEnd
    let b: PeerEnd
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var skipped: Duration = .zero
    private var batch: [[UInt8]] = []
    private let wire: LoopbackWire?

    /// - Parameter certificates: a certificate for each end; making one takes longer than everything measured here.
    init(
        _ certificates: [OpenSSLDTLS], hasMedia: Bool = false, isByUDP: Bool = false,
        configure: (inout PeerConnectionConfiguration) -> Void = { _ in }
    ) throws {
        start = clock.now
        var configuration = PeerConnectionConfiguration()
        configure(&configuration)
        let wire = isByUDP ? LoopbackWire() : nil
        self.wire = wire
        let ends = (0..<2).map { number in
            PeerEnd(
                PeerEngine(
                    configuration, crypto: OpenSSLCrypto(), certificates: certificates[number],
                    random: SecureGenerator(), now: .zero),
                at: TransportAddress(.v4(0x7F00_0001), port: wire?.ports[number] ?? UInt16(5000 + number)))
        }
        (a, b) = (ends[0], ends[1])
        if hasMedia { try a.connection.addTrack(.video, stream: "screen", receives: true, now: .zero) }
        _ = try a.connection.openChannel(DataChannelDescription(label: "bench"), now: .zero)
    }

    var now: Instant { .zero + start.duration(to: clock.now) + skipped }

    // MARK: Connecting

    /// Connects the ends from the offer on, until both have the channel.
    func connect() throws {
        for end in [a, b] {
            end.connection.handle(.localCandidate(.host(end.address)), now: now)
            end.connection.handle(.localCandidatesEnded, now: now)
        }
        let offer = try timed(a) { try $0.makeOffer(now: $1) }
        try timed(b) { try $0.takeOffer(offer, now: $1) }
        let answer = try timed(b) { try $0.makeAnswer(now: $1) }
        try timed(a) { try $0.takeAnswer(answer, now: $1) }
        while !(a.isReady && b.isReady) {
            if try step() { continue }
            if let failure = a.failure ?? b.failure { preconditionFailure("no connection: \(failure)") }
            precondition(wait(), "no connection, and nothing to wait for")
        }
    }

    private func timed<Result>(_ end: PeerEnd, _ body: (PeerEngine, Instant) throws -> Result) rethrows -> Result {
        let before = CPUTime.now
        let result = try body(end.connection, now)
        end.drain()
        end.busy += CPUTime.now - before
        return result
    }

    // MARK: Moving

    /// Delivers pending datagrams; returns `false` if there are none.
    func step() throws -> Bool {
        var isMoved = false
        for (from, to) in [(a, b), (b, a)] {
            let before = CPUTime.now
            let now = now
            if let due = to.connection.deadline, due.at <= now {
                to.connection.tick(now: now)
                to.drain()
            }
            if !from.candidates.isEmpty {
                isMoved = true
                for text in from.candidates { try to.connection.addCandidate(text, now: now) }
                from.candidates.removeAll()
                to.drain()
            }
            if !from.outbox.isEmpty {
                isMoved = true
                swap(&batch, &from.outbox)
                carry(from, to, now)
                batch.removeAll(keepingCapacity: true)
            }
            to.busy += CPUTime.now - before
        }
        return isMoved || !a.outbox.isEmpty || !b.outbox.isEmpty
    }

    private func carry(_ from: PeerEnd, _ to: PeerEnd, _ now: Instant) {
        guard let wire else {
            for bytes in batch { give(bytes, to: to, from: from, now: now) }
            return
        }
        let (sender, receiver) = from === a ? (0, 1) : (1, 0)
        var next = 0
        while next < batch.count {
            let end = min(next + LoopbackWire.mostOnTheWay, batch.count)
            for index in next..<end { wire.send(batch[index], from: sender) }
            while let bytes = wire.receive(at: receiver) { give(bytes, to: to, from: from, now: now) }
            next = end
        }
    }

    /// Advances the clock to the next timer; returns `false` if there is none.
    func wait() -> Bool {
        guard let next = Deadline.earliest(a.connection.deadline, b.connection.deadline) else { return false }
        skipped += max(.zero, next.at - now)
        return true
    }
}

extension PeerPair {
    /// Passes a datagram that arrived by UDP to an end.
    func give(_ bytes: [UInt8], to end: PeerEnd, from other: PeerEnd, now: Instant) {
        end.connection.handle(.datagram(bytes, from: other.address, onLocal: end.address), now: now)
        end.drain()
    }
}
