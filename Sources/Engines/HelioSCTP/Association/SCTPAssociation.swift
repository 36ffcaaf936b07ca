internal import DequeModule
package import HelioCore
package import HelioProtection

/// An SCTP association over one path (RFC 9260), for data channels over DTLS, which encrypts and authenticates every
/// packet. It supports partial reliability (RFC 3758), stream resets (RFC 6525) and packets without checksums (RFC
/// 9653).
///
/// The association is opened by `connect`, called at one end or at both. A packet is written only when it is polled, so
/// that it can bundle all chunks queued since the last poll.
///
/// Memory is bounded: by `receiveWindow` for received data, by `sendLimit` for queued messages.
package struct SCTPAssociation: ~Copyable, Engine {
    package enum Input: Sendable {
        case datagram([UInt8])
    }

    package enum Output: Sendable, Hashable {
        case datagram([UInt8])
        case connected
        case message(IncomingMessage)
        /// The stream's buffered amount has fallen to its threshold, or there is space again for a message that was
        /// refused with `bufferFull`.
        case bufferedAmountLow(stream: UInt16)
        /// The peer has reset its outgoing streams with these numbers, or all of them if the list is empty.
        case incomingReset([UInt16])
        /// A requested reset of outgoing streams has ended. If the peer has not performed it, the streams can't be
        /// reused.
        case outgoingReset([UInt16], isPerformed: Bool)
        /// The peer has restarted the association: all streams are reset, and queued or unacknowledged messages are
        /// lost.
        case restarted
        case ended(SCTPEnd)
    }

    package enum State: Hashable, Sendable {
        case closed
        case cookieWait
        case cookieEchoed
        case established
        case shutdownPending
        case shutdownSent
        case shutdownReceived
        case shutdownAckSent
        case ended
    }

    /// The timing of the next acknowledgement.
    enum Acknowledging: Hashable, Sendable {
        case nothing
        case later
        case now
    }

    package internal(set) var state = State.closed
    let configuration: SCTPConfiguration
    let mac: any MACContext
    /// The latest instant passed in; `poll` uses it as the sending time.
    var now: Instant
    var counted = DropCounter<SCTPDrop>()
    var outputs = Deque<Output>()
    /// Queued packets of the handshake, the shutdown, ABORT and stale-cookie ERROR, at most 16.
    var packets = Deque<[UInt8]>()
    /// Queued control chunks for the next packet, at most 16.
    var answers = Deque<[UInt8]>()

    /// The send buffer space that a refused message needs.
    struct Need: Sendable {
        var bytes: Int
        var streamLimit: Int
    }

    // Identity and handshake.
    var localTag: UInt32
    var localInitialTSN: UInt32
    var peer: PeerTerms?
    /// A counter from which each INIT-ACK to a restarted peer derives its tag and TSN.
    var restarts: UInt64 = 0
    var cookie: [UInt8] = []
    var attempts = 0

    // Receiving.
    var inbound: ReceiveBuffer?
    var acknowledging = Acknowledging.nothing
    var packetsToAcknowledge = 0
    var duplicates: [UInt32] = []
    var advertised: Int
    /// True while the delivery of messages is paused by ``holdMessages(_:now:)``.
    var holdsMessages = false

    // Sending.
    var queue = SendQueue()
    var outstanding: Outstanding
    /// The space that the last refused message of each stream needs.
    private var refused: [UInt16: Need] = [:]
    var window: CongestionWindow
    var timeout: RetransmissionTimeout
    /// The peer's receive window in bytes, minus the bytes in flight.
    var peerWindow = 0
    /// The number of bytes that may be sent before the next input, to limit bursts.
    var burst = 0
    /// True if the next packet is a fast retransmission, which may exceed the congestion window.
    var isFastRetransmitting = false
    /// The chunk whose round trip is being measured, its sending time, and whether an immediate acknowledgement was
    /// requested for that chunk or a later one.
    var timed: (tsn: TransmissionSequence, at: Instant, isHurried: Bool)?
    var lastDataSent: Instant?
    /// The TSN up to which all chunks are acknowledged or abandoned (`Advanced.Peer.Ack.Point`, RFC 3758).
    var forwardPoint: TransmissionSequence
    var isForwardDue = false
    var lastForward: Instant?
    var resets: StreamResets

    // Timers.
    var errors = 0
    /// True if the peer has reported a closed window since the last timeout.
    var isPeerFull = false
    var handshakeAt: Instant?
    var shutdownAt: Instant?
    var retransmitsAt: Instant?
    var acknowledgesAt: Instant?
    var resetAt: Instant?
    var heartbeatAt: Instant?
    var heartbeat: UInt64?

    /// - Parameters:
    ///   - generator: a secure generator, used for the tag, the initial TSN and the cookie key.
    ///   - crypto: provides the HMAC for the state cookie.
    package init(
        _ configuration: SCTPConfiguration, crypto: any CryptoProvider,
        using generator: inout some RandomNumberGenerator, now: Instant
    ) throws(CryptoError) {
        var configuration = configuration
        configuration.packetSize = min(max(configuration.packetSize, 512), 65535)
        configuration.receiveWindow = max(configuration.receiveWindow, 2 * configuration.maximumMessageSize, 4096)
        self.configuration = configuration
        self.now = now
        mac = try crypto.mac(.sha256, key: SecretBytes(count: 32, using: &generator))
        localTag = UInt32.random(in: 1 ... .max, using: &generator)
        localInitialTSN = UInt32.random(in: 0 ... .max, using: &generator)
        let first = TransmissionSequence(initial: localInitialTSN)
        outstanding = Outstanding(initial: first)
        forwardPoint = first - 1
        window = CongestionWindow(packetSize: configuration.packetSize)
        timeout = RetransmissionTimeout(configuration)
        resets = StreamResets(localInitialTSN: localInitialTSN, peerInitialTSN: 0)
        advertised = configuration.receiveWindow
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        advance(to: now)
        switch input {
        case .datagram(let bytes): handle(bytes)
        }
        finishShutdown()
    }

    package mutating func tick(now: Instant) {
        advance(to: now)
        runTimers()
        finishShutdown()
    }

    package mutating func poll() -> Output? {
        if let output = outputs.popFirst() { return output }
        if let packet = packets.popFirst() { return .datagram(packet) }
        if let packet = pollPacket() { return .datagram(packet) }
        noteRoom()
        return outputs.popFirst()
    }

    package var deadline: Deadline? {
        var result: Deadline?
        func add(_ at: Instant?, _ why: StaticString) {
            if let at { result = .earliest(result, Deadline(at: at, why: why)) }
        }
        add(handshakeAt, "SCTP handshake")
        add(shutdownAt, "SCTP shutdown")
        add(retransmitsAt, "SCTP retransmission")
        add(acknowledgesAt, "SCTP acknowledgement")
        add(resetAt, "SCTP stream reset")
        add(heartbeatAt, "SCTP heartbeat")
        return result
    }

    // MARK: - Owner's interface

    /// Starts the handshake unless the association is open or being opened.
    package mutating func connect(now: Instant) {
        advance(to: now)
        guard state == .closed else { return }
        attempts = 0
        state = .cookieWait
        sendInitiation()
    }

    /// Queues a message. This is allowed before the association is open.
    ///
    /// - Parameter streamLimit: the maximum number of queued bytes on the stream. A single message may exceed it.
    package mutating func send(
        _ payload: [UInt8], stream: UInt16, protocolID: UInt32, isOrdered: Bool = true,
        reliability: Reliability = .reliable, streamLimit: Int = .max, now: Instant
    ) throws(SCTPSendError) {
        advance(to: now)
        guard takesMessages else { throw .ended }
        guard !payload.isEmpty else { throw .emptyMessage }
        guard !queue.isClosing(stream), stream < outgoingStreams else { throw .streamClosed }
        let need = Need(bytes: payload.count, streamLimit: streamLimit)
        guard payload.count + SendQueue.overhead <= configuration.sendLimit else { throw .messageTooLong }
        guard fits(need, stream) else {
            refused[stream] = need
            throw .bufferFull
        }
        var message = OutgoingMessage(
            stream: stream, protocolID: protocolID, payload: payload, isUnordered: !isOrdered)
        switch reliability {
        case .reliable: break
        case .retransmissions(let count): message.retransmissions = count
        case .lifetime(let lifetime): message.expires = now + lifetime
        }
        queue.append(message)
    }

    /// The number of queued bytes of the stream that were not sent in any packet yet.
    package func bufferedAmount(of stream: UInt16) -> Int { queue.bufferedBytes(of: stream) }

    /// The last round-trip time, measured with a DATA chunk or a heartbeat; `nil` before the first measurement.
    package var roundTrip: MeasuredRoundTrip? { timeout.latest }

    package mutating func setLowThreshold(_ bytes: Int, of stream: UInt16) {
        queue.setLowThreshold(bytes, of: stream)
    }

    /// Pauses or resumes the delivery of messages, for an owner that can't keep up. Undelivered messages fill the
    /// receive window, so that the peer stops sending. Stream resets are reported only after the messages before them.
    package mutating func holdMessages(_ holds: Bool, now: Instant) {
        advance(to: now)
        holdsMessages = holds
        deliverMessages()
    }

    /// Resets an outgoing stream: accepts no more messages for it, and restarts its sequence numbers once all its data
    /// has been acknowledged. `outgoingReset` reports the result.
    ///
    /// - Parameter discarding: true to drop queued messages of which no fragment was sent yet.
    package mutating func reset(_ stream: UInt16, discarding: Bool = false, now: Instant) {
        advance(to: now)
        guard state != .ended, !queue.isClosing(stream) else { return }
        queue.close(stream, discarding: discarding)
        resets.waiting.append(stream)
    }

    /// Returns the next event. Packets are only written by `poll`, after the owner has handled all events.
    package mutating func pollEvent() -> Output? { outputs.popFirst() }

    /// Ends the association once all queued data has been acknowledged; before the handshake has completed, at once,
    /// and queued data is lost. No more messages are accepted.
    package mutating func shutdown(now: Instant) {
        advance(to: now)
        switch state {
        case .closed, .cookieWait, .cookieEchoed: end(.shutdown)
        case .established: state = .shutdownPending
        default: return
        }
        finishShutdown()
    }

    /// Ends the association at once with an ABORT. Unacknowledged messages may be lost.
    package mutating func abort(now: Instant) {
        advance(to: now)
        // Cause 12 is "user-initiated abort".
        abort(cause: 12, .abortedHere)
    }

    /// The number of drops by reason.
    package var drops: DropCounter<SCTPDrop> {
        var all = counted
        for reason in SCTPDrop.allCases {
            if let count = inbound?.drops[reason], count > 0 { all.count(reason, count) }
        }
        if queue.expired > 0 { all.count(.expiredMessage, queue.expired) }
        return all
    }

    /// True if no data is queued or unacknowledged.
    package var isIdle: Bool { queue.isEmpty && outstanding.isEmpty }

    /// The number of streams on which messages may be sent.
    package var outgoingStreams: UInt16 {
        min(configuration.streams, peer.map(\.inboundStreams) ?? .max)
    }

    // MARK: - Shared with extensions

    var takesMessages: Bool {
        switch state {
        case .closed, .cookieWait, .cookieEchoed, .established: true
        default: false
        }
    }

    /// True while data can be sent and received.
    var isOpen: Bool {
        switch state {
        case .established, .shutdownPending, .shutdownSent, .shutdownReceived: true
        default: false
        }
    }

    private func fits(_ need: Need, _ stream: UInt16) -> Bool {
        let waiting = queue.bufferedBytes(of: stream)
        return queue.cost + need.bytes + SendQueue.overhead <= configuration.sendLimit
            && (waiting == 0 || waiting + need.bytes <= need.streamLimit)
    }

    /// Reports the streams whose buffered amount is low, and those that again have space for a refused message, each
    /// once.
    private mutating func noteRoom() {
        for stream in queue.pollLow() { outputs.append(.bufferedAmountLow(stream: stream)) }
        guard !refused.isEmpty, refused.contains(where: { fits($0.value, $0.key) }) else { return }
        for (stream, need) in refused.sorted(by: { $0.key < $1.key }) where fits(need, stream) {
            refused[stream] = nil
            outputs.append(.bufferedAmountLow(stream: stream))
        }
    }

    mutating func advance(to instant: Instant) {
        if instant > now { now = instant }
        burst = max(burst, configuration.maximumBurst * configuration.packetSize)
    }

    mutating func end(_ why: SCTPEnd) {
        guard state != .ended else { return }
        state = .ended
        counted = drops
        handshakeAt = nil
        shutdownAt = nil
        retransmitsAt = nil
        acknowledgesAt = nil
        resetAt = nil
        heartbeatAt = nil
        acknowledging = .nothing
        releaseMessages()
        queue = SendQueue()
        refused = [:]
        outstanding = Outstanding(initial: outstanding.newest + 1)
        answers.removeAll()
        inbound = nil
        outputs.append(.ended(why))
    }

    mutating func abort(cause: UInt16, _ why: SCTPEnd) {
        guard state != .ended else { return }
        if let peer {
            var packet = newPacket(tag: peer.tag)
            packet.appendChunk(.abort) { $0.appendParameter(cause) { _ in } }
            queuePacket(packet)
        }
        end(why)
    }
}
