internal import DequeModule
package import HelioCore
package import HelioProtection

/// One SCTP association over one path (RFC 9260), with partial reliability (RFC 3758), resets of streams (RFC 6525)
/// and packets without checksums (RFC 9653), as data channels want it: DTLS below hides and authenticates every packet.
///
/// Both ends may `connect`, at once or one of them only. Packets are written when they are polled, so whatever was
/// sent and acknowledged since the last poll shares them.
///
/// Memory is bounded: `receiveWindow` bounds what the other end can make us hold, `sendLimit` what waits to be sent.
package struct SCTPAssociation: ~Copyable, Engine {
    package enum Input: Sendable {
        case datagram([UInt8])
    }

    package enum Output: Sendable, Hashable {
        case datagram([UInt8])
        case connected
        case message(IncomingMessage)
        /// The stream's buffered amount has come down to the threshold.
        case bufferedAmountLow(stream: UInt16)
        /// The other end starts these streams of its own anew; all of them, if none is named.
        case incomingReset([UInt16])
        /// A reset that we asked for has ended; if it was not performed, the streams cannot be used again.
        case outgoingReset([UInt16], isPerformed: Bool)
        /// The other end began anew: all streams are at their start, and what was not delivered is lost.
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
    /// The newest instant that we were given: packets are written at it.
    var now: Instant
    var counted = DropCounter<SCTPDrop>()
    var outputs = Deque<Output>()
    /// Whole packets of the handshake and of the end, to be sent.
    var packets = Deque<[UInt8]>()
    /// Chunks to be sent with the next packet.
    var answers = Deque<[UInt8]>()

    /// The room that a refused message needs.
    struct Need: Sendable {
        var bytes: Int
        var streamLimit: Int
    }

    // Who we are.
    var localTag: UInt32
    var localInitialTSN: UInt32
    var peer: PeerTerms?
    /// A count that gives each INIT of an end that began anew numbers of its own.
    var restarts: UInt64 = 0
    var cookie: [UInt8] = []
    var attempts = 0

    // What we receive.
    var inbound: ReceiveBuffer?
    var acknowledging = Acknowledging.nothing
    var packetsToAcknowledge = 0
    var duplicates: [UInt32] = []
    var advertised: Int
    /// True while whole messages are held: see ``holdMessages(_:now:)``.
    var holdsMessages = false

    // What we send.
    var queue = SendQueue()
    var outstanding: Outstanding
    /// The room that the last refused message of each stream needs.
    private var refused: [UInt16: Need] = [:]
    var window: CongestionWindow
    var timeout: RetransmissionTimeout
    /// The other end's window, less what is in flight.
    var peerWindow = 0
    /// The bytes that may be sent before the next input.
    var burst = 0
    /// True if the next packet may be sent although the window is full.
    var isFastRetransmitting = false
    /// The chunk whose round trip is measured, and whether its acknowledgement has been asked for at once.
    var timed: (tsn: TransmissionSequence, at: Instant, isHurried: Bool)?
    var lastDataSent: Instant?
    /// The TSN up to which all is acknowledged or abandoned.
    var forwardPoint: TransmissionSequence
    var isForwardDue = false
    var lastForward: Instant?
    var resets: StreamResets

    // Timers.
    var errors = 0
    /// True if the other end has said since the last timeout that it has no room.
    var isPeerFull = false
    var handshakeAt: Instant?
    var shutdownAt: Instant?
    var retransmitsAt: Instant?
    var acknowledgesAt: Instant?
    var resetAt: Instant?
    var heartbeatAt: Instant?
    var heartbeat: UInt64?

    /// - Parameters:
    ///   - generator: the driver's secure one. Tags, first TSNs and the cookie's key are drawn from it.
    ///   - crypto: signs the state cookie.
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

    // MARK: - For its owner

    /// Opens the association, unless the other end has.
    package mutating func connect(now: Instant) {
        advance(to: now)
        guard state == .closed else { return }
        attempts = 0
        state = .cookieWait
        sendInitiation()
    }

    /// Takes a message to be sent, also before the association is open.
    ///
    /// - Parameter streamLimit: the most bytes that may wait on the stream; one message may, however long it is.
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

    /// Bytes of the stream that have not been put into a packet yet.
    package func bufferedAmount(of stream: UInt16) -> Int { queue.bufferedBytes(of: stream) }

    /// What was measured last from a chunk's sending to its acknowledgement, or of a heartbeat; `nil` before the first.
    package var roundTrip: MeasuredRoundTrip? { timeout.latest }

    package mutating func setLowThreshold(_ bytes: Int, of stream: UInt16) {
        queue.setLowThreshold(bytes, of: stream)
    }

    /// Turns holding of whole messages on or off. While it is on they stay here, where the window counts them, so that
    /// the other end has to wait with what comes after: for an owner that can't keep up. Resets of their streams stay
    /// behind them.
    package mutating func holdMessages(_ holds: Bool, now: Instant) {
        advance(to: now)
        holdsMessages = holds
        deliverMessages()
    }

    /// Resets an outgoing stream: takes nothing more for it and starts it anew once all has arrived; `discarding` drops
    /// what no packet has carried yet. `outgoingReset` tells when it is done.
    package mutating func reset(_ stream: UInt16, discarding: Bool = false, now: Instant) {
        advance(to: now)
        guard state != .ended, !queue.isClosing(stream) else { return }
        queue.close(stream, discarding: discarding)
        resets.waiting.append(stream)
    }

    /// The next output that is no datagram, so that packets are written after what the events make of them.
    mutating func pollEvent() -> Output? { outputs.popFirst() }

    /// Ends the association once all has arrived. Nothing more can be sent.
    package mutating func shutdown(now: Instant) {
        advance(to: now)
        switch state {
        case .closed, .cookieWait, .cookieEchoed: end(.shutdown)
        case .established: state = .shutdownPending
        default: return
        }
        finishShutdown()
    }

    /// Ends the association now.
    package mutating func abort(now: Instant) {
        advance(to: now)
        // User-initiated abort.
        abort(cause: 12, .abortedHere)
    }

    /// Counts of what was dropped, by reason.
    package var drops: DropCounter<SCTPDrop> {
        var all = counted
        for reason in SCTPDrop.allCases {
            if let count = inbound?.drops[reason], count > 0 { all.count(reason, count) }
        }
        if queue.expired > 0 { all.count(.expiredMessage, queue.expired) }
        return all
    }

    /// True if nothing that was sent waits for its acknowledgement, or to be sent.
    package var isIdle: Bool { queue.isEmpty && outstanding.isEmpty }

    /// The number of streams that may be sent on.
    package var outgoingStreams: UInt16 {
        min(configuration.streams, peer.map(\.inboundStreams) ?? .max)
    }

    // MARK: - For its extensions

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

    /// Tells owners of refused messages once that what was refused would be taken.
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
