internal import DequeModule
package import HelioCore
package import HelioRTP

/// The sender of one RTP stream to one peer: admits whole frames, paces, numbers and stamps their packets, keeps them
/// for retransmission, and requests keyframes.
///
/// A packet is built only when it leaves the pacer, so that packets dropped by the pacer leave no gap in the sequence
/// numbers, and the sending time in a packet is accurate. The owner receives each packet as it leaves, and encrypts it.
package final class StreamSender: DropCounting {
    package struct Configuration: Sendable {
        package var ssrc: SSRC
        /// The SSRC of the retransmission stream (RFC 4588).
        package var retransmissionSSRC: SSRC?
        /// The first sequence number; only its lower 15 bits are used, so that it does not wrap soon: a peer that
        /// misses the wrap would assume a wrong rollover counter, which no packet carries (RFC 3711 section 3.3.1).
        package var firstSequence: UInt16
        package var firstRetransmission: UInt16 = 0
        /// The parity stream, from which the peer restores lost packets; `nil`: none, until one is negotiated.
        package var parity: Parity?
        /// The offset added to each timestamp (RFC 3550 section 5.1).
        package var timestampOffset: UInt32 = 0
        /// The offset from an `Instant` to NTP time, which counts from 1900.
        package var clockOffset: Duration = .zero
        /// True if `timing.captured` is on the same clock as `now`, so that sender reports can map RTP time to it;
        /// false for an app's own clock, whose origin is unknown.
        package var isHostClock = false
        /// The size limit of header, extensions and payload, before encryption.
        package var largestPacket: Int
        /// The number of bytes that can be appended to a packet without reallocation, for the bytes that encryption
        /// adds.
        package var reserve = 0
        /// The initial rate at which packets leave.
        package var rate: Bitrate
        /// The pacer's settings; `nil`: packets leave at once, on a path that has its own flow control.
        package var pacer: SendPacer.Configuration? = SendPacer.Configuration()
        package var history = SendHistory.Configuration()
        package var keyframes = KeyframeRequests()
        /// True for Heliograph's own viewers: they support repair pictures, and request each lost packet when it is due
        /// by the round-trip time, which they know.
        package var takesRepairs = false

        package init(ssrc: SSRC, firstSequence: UInt16, largestPacket: Int, rate: Bitrate) {
            self.ssrc = ssrc
            self.firstSequence = firstSequence
            self.largestPacket = largestPacket
            self.rate = rate
        }
    }

    /// The stream of parity packets that accompanies the media stream.
    package struct Parity: Sendable {
        package var ssrc: SSRC
        package var payloadType: PayloadType
        package var firstSequence: UInt16
        package var code: any ParityCode

        package init(
            ssrc: SSRC, payloadType: PayloadType, firstSequence: UInt16, code: any ParityCode = ReedSolomonCode()
        ) {
            self.ssrc = ssrc
            self.payloadType = payloadType
            self.firstSequence = firstSequence
            self.code = code
        }
    }

    /// A packet that leaves. It can't be copied, so the code that encrypts it is its only owner and does so in place.
    package enum Departure: ~Copyable {
        /// A new packet, to be encrypted and sent; if it `isKept`, the encrypted packet is to be kept for `again`.
        case packet([UInt8], headerLength: Int, sequence: ExtendedSequence, isKept: Bool)
        /// The kept packet with this number, to be sent again unchanged.
        case again(ExtendedSequence)
    }

    package typealias Emit = (consuming Departure) -> Void

    /// A keyframe or repair picture: a peer can resume decoding with it even if it lacks earlier frames.
    private struct Entry {
        let frame: UInt64
        /// The first frame after which the picture can be decoded; `nil` for a keyframe.
        let since: UInt64?
        var due: Instant
    }

    package let ssrc: SSRC
    package private(set) var statistics: OutboundStatistics
    package private(set) var drops = DropCounter<MediaDrop>()
    /// True if the peer supports repair pictures, and reports the last frame that it has complete. Such a peer is sent
    /// keyframes only if no repair picture helps. A change applies to repair pictures from the next frame on.
    package var takesRepairs: Bool {
        didSet {
            if oldValue, !takesRepairs { giveUpRepairs() }
            // From now on the peer itself reports the frames that it lacks.
            if !oldValue, takesRepairs { resumePoint.keepAll() }
        }
    }
    /// The pending request for a repair picture.
    private var repairs = RepairRequests()
    private var frames = SentFrames()
    /// The last keyframe or repair picture sent, with the time until which requests that it answers are ignored.
    private var entry: Entry?
    /// True while the stream is sent.
    package private(set) var isActive = false
    package var keyframes: KeyframeRequests

    private let configuration: Configuration
    private var extensions = OutgoingExtensions()
    private var descriptions = FrameDescriptions()
    private var numbering = FrameNumbering()
    private var resumePoint = ResumePoint()
    /// The first frame that the frame being queued can follow, if it is a repair picture and the peer supports these.
    private var frameSince: UInt64?
    /// The first packet of a keyframe that is to be sent a second time because the path loses packets, and the time to
    /// send it.
    private var structureAgain: (sequence: ExtendedSequence, due: Instant)?
    /// The format of the last media queued, in which all waiting packets are sent.
    private var format: SendFormat?
    private var nextSequence: ExtendedSequence
    private var nextRetransmission: ExtendedSequence
    private var pacer: SendPacer?
    private var history: SendHistory
    private var gate = FrameGate()
    /// The packets to be sent by the next `pump`, if there is no pacer.
    private var unpaced = Deque<OutgoingPacket>()
    private var lastFIR: [SSRC: UInt8] = [:]
    /// The timestamp of the newest frame or audio packet, and its capture time.
    private var lastTimestamp: (value: UInt32, at: Instant)?
    /// The RTP timestamp of the newest keyframe.
    private var lastKeyframe: UInt32?
    /// The RTP timestamp of the newest packet sent.
    private var lastWireTimestamp: UInt32 = 0
    /// The number of parity packets, by block size, for frames that are queued from now on.
    package var parityPlan = ParityPlan.none
    private var parityStream: Parity?
    private var parity: ParityEncoder
    private var nextParity: ExtendedSequence
    /// The SSRC whose packets `nextParity` numbers, whether or not parity is sent now.
    private var paritySSRC: SSRC?
    /// The number of packets of the frame that is being queued, and the size of its largest packet in bytes.
    private var framePackets = 0
    private var frameLongest = 0
    private var tailProbe = TailProbe()
    /// The packet whose copies fill the probe; `nil`: plain padding fills it.
    private var padding: ExtendedSequence?
    /// The time at which the last packet of the stream's first frame left.
    private var firstFrameLeft: Instant?
    /// The longest time that the first frame may take to be complete at the peer, including retransmissions.
    private static let firstFrameTime = Duration.seconds(2)
    /// The loss above which the packet with a keyframe's structure is sent twice, and the time between the two
    /// transmissions.
    private static let structureLoss = 0.01
    private static let structureSpacing = Duration.milliseconds(5)

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        ssrc = configuration.ssrc
        statistics = OutboundStatistics(ssrc: ssrc)
        keyframes = configuration.keyframes
        takesRepairs = configuration.takesRepairs
        nextSequence = ExtendedSequence(UInt64(configuration.firstSequence & 0x7FFF))
        nextRetransmission = ExtendedSequence(UInt64(configuration.firstRetransmission & 0x7FFF))
        parityStream = configuration.parity
        parity = ParityEncoder(configuration.parity?.code ?? ReedSolomonCode())
        paritySSRC = configuration.parity?.ssrc
        nextParity = ExtendedSequence(UInt64((configuration.parity?.firstSequence ?? 0) & 0x7FFF))
        pacer = configuration.pacer.map { SendPacer(rate: configuration.rate, configuration: $0) }
        history = SendHistory(first: nextSequence, configuration: configuration.history)
    }

    /// The offset from a medium's own time to its RTP timestamps.
    package var timestampOffset: UInt32 { configuration.timestampOffset }

    // MARK: Negotiation

    package func agree(_ extensions: OutgoingExtensions) { self.extensions = extensions }

    /// True if the peer accepts dependency descriptors, so that it knows the frames that each frame refers to.
    package var describesFrames: Bool { extensions.dependencyID != nil }

    /// True if the peer's own reports replace its requests for keyframes: a browser's page decodes the pictures, and
    /// knows from their descriptors which frames it lacks. The browser itself decodes no pictures, so its own requests
    /// are ignored.
    private var peerReportsLosses: Bool { takesRepairs && describesFrames }

    /// True if the peer is a browser that decodes and shows the pictures itself, and accepts dependency descriptors.
    /// The browser does not report its complete frames, but transport-wide feedback shows them. The descriptor of a
    /// repair picture tells the browser whether it can decode the picture, whichever frames it lacks.
    private var infersLosses: Bool {
        !takesRepairs && describesFrames && extensions.isTransportWide && numbering.isPossible
    }

    /// Sets the parity stream from now on; `nil`: no parity is sent. If the same stream is set again later, its
    /// sequence numbers continue, as none may be used twice.
    package func agree(parity stream: Parity?) {
        if let stream, stream.ssrc != parityStream?.ssrc { parity = ParityEncoder(stream.code) }
        if let stream, stream.ssrc != paritySSRC {
            paritySSRC = stream.ssrc
            nextParity = ExtendedSequence(UInt64(stream.firstSequence & 0x7FFF))
        }
        if stream == nil { parity.removeAll() }
        parityStream = stream
    }

    /// True if the peer restores lost packets from parity.
    package var hasParity: Bool { parityStream != nil }

    /// Starts the stream, or resumes it after a pause. Video starts with a keyframe, which `wish` requests, as the peer
    /// lacks the frames that later ones refer to.
    package func play(_ wish: KeyframeWish?) {
        isActive = true
        gate.close()
        repairs.clear()
        if let wish { keyframes.ask(wish) }
    }

    package func pause() {
        isActive = false
        gate.close()
        keyframes.clear()
        repairs.clear()
        structureAgain = nil
        resumePoint.stop()
        tailProbe.stop()
        parity.removeAll()
    }

    /// Drops all frames until the next keyframe.
    package func skipToKeyframe() {
        gate.close()
        repairs.clear()
    }

    /// Switches to another encoding, from its next keyframe on: waiting frames are dropped, and no later frame refers
    /// to frames sent before.
    package func changeEncode() { restart(KeyframeWish("a viewer goes on with another encode", isJoin: true)) }

    /// Restarts the stream with a keyframe: waiting frames are dropped, and the peer counts as having none of the
    /// frames sent before.
    package func restart(_ wish: KeyframeWish) {
        skipToKeyframe()
        frames.removeAll()
        entry = nil
        pacer?.dropWaiting()
        if isActive { keyframes.ask(wish) }
    }

    /// True if only keyframes and repair pictures are sent, as the path is too slow for the frames in between: once
    /// such a picture is queued, a repair picture after it is requested. Only for peers that support repair pictures.
    package var sendsEntriesOnly = false {
        didSet {
            guard sendsEntriesOnly, !oldValue, !gate.awaitsKeyframe else { return }
            guard let last = frames.whole(before: .max) else {
                gate.close()
                return keyframes.ask(KeyframeWish(Self.entryReason))
            }
            rest(after: last)
        }
    }

    private static let entryReason = "a slow viewer is due a picture"

    /// Drops all frames after `frame` until a repair picture that makes up for them, and requests that picture.
    private func rest(after frame: UInt64) {
        gate.close(after: frame)
        repairs.ask(RepairWish(since: frame, Self.entryReason))
    }

    package var awaitsKeyframe: Bool { gate.awaitsKeyframe }

    /// The maximum payload size in bytes: of a frame's last packet, whose header may be longer, and of all other
    /// packets.
    package var largestPayload: PacketizedSlice.Limits {
        let again = configuration.retransmissionSSRC == nil ? 0 : Retransmission.overhead
        // A parity packet consists of an RTP header, the code's overhead, and as many bytes as the longest protected
        // packet has after its fixed header.
        let ofParity =
            parityStream.map { extensions.longestHeader(isLast: false) + $0.code.overhead - RTPHeader.fixedSize } ?? 0
        let most = configuration.largestPacket - max(again, ofParity)
        return PacketizedSlice.Limits(
            last: most - extensions.longestHeader(isLast: true), other: most - extensions.longestHeader(isLast: false))
    }

    /// Notes that the path to the peer has changed: packets sent over the previous path may be lost.
    package func pathChanged(now: Instant) { tailProbe.hurry(now: now) }

    /// Accounts for bytes that another stream sent on the same path without pacing: they reduce the bytes that this
    /// stream may send.
    package func note(beside bytes: Int, now: Instant) { pacer?.note(beside: bytes, now: now) }

    /// Sets the rate at which packets leave.
    package func setRate(_ rate: Bitrate) { pacer?.rate = rate }

    /// The time until the last waiting video packet has left, at the present rate.
    package var queueDelay: Duration { pacer?.queueDelay ?? .zero }
    /// `queueDelay` without keyframes and repair pictures: if it is too long, the next picture causes all waiting
    /// pictures to be dropped.
    package var staleDelay: Duration { pacer?.staleDelay ?? .zero }

    /// Sets the number of bytes that may be sent until the next call, on a path with its own flow control; `nil`: no
    /// limit.
    package func setRoom(_ bytes: Int?) { pacer?.room = bytes }

    /// True if a probe can start: packets wait, or one was sent before, so that padding can be sent.
    package var canProbe: Bool { isActive && (!isDrained || (format != nil && statistics.packets > 0)) }

    /// Starts a probe, which consists of waiting packets and, for the rest, of copies of an earlier packet or of
    /// padding.
    package func begin(_ probe: Probe, now: Instant) {
        guard isActive else { return }
        padding = hasRetransmissionStream ? history.newest(atLeast: 400) : nil
        let size = padding.map { history[$0]?.payload.count ?? 0 } ?? 0
        pacer?.begin(probe, largestPadding: max(SendPacer.plainPadding, size), now: now)
    }

    private var hasRetransmissionStream: Bool {
        guard configuration.retransmissionSSRC != nil, case .retransmissionStream = format?.repair else { return false }
        return true
    }

    /// The sequence number for `RTP-Info` (RFC 2326 section 12.33).
    package var nextWireSequence: UInt16 { nextSequence.wire }

    // MARK: Queueing

    /// Queues the packets of a video slice. Frames must be passed in order, and so must the slices of each frame.
    ///
    /// - Parameter captured: the capture time on the clock of `now`, to which sender reports map the RTP timestamp, if
    ///   the slice's timing is on an app's clock. `nil`: unknown; `now` is used instead.
    package func send(
        _ slice: borrowing PacketizedSlice, captured: Instant? = nil, as format: SendFormat, now: Instant
    ) {
        guard isActive else { return drops.count(.notSending) }
        let timestamp = MediaClock.timestamp(slice.timing.captured) &+ configuration.timestampOffset
        if slice.isFirst { note(slice, timestamp: timestamp) }
        let since = frameSince
        guard admits(slice, since: since, now: now) else { return }
        self.format = format
        if slice.isFirst { begin(slice, since: since, timestamp: timestamp, captured: captured ?? now, now: now) }
        queuePackets(of: slice, since: since, timestamp: timestamp, now: now)
        if slice.isLast { end(slice, timestamp: timestamp, now: now) }
    }

    /// Notes a frame from the encoder, whether it is sent or not, and whether the peer takes it as a repair picture.
    private func note(_ slice: borrowing PacketizedSlice, timestamp: UInt32) {
        if takesRepairs || describesFrames { frames.note(slice.frameIndex, timestamp: timestamp) }
        // The repair mark counts only for peers that support repair pictures; for other peers a repair picture is an
        // ordinary picture.
        frameSince = takesRepairs ? slice.repairsSince : nil
        // For a peer whose losses are inferred, a repair picture counts only if it makes up for this peer's losses.
        if infersLosses, let whole = resumePoint.whole, let since = slice.repairsSince, since <= whole {
            frameSince = since
        }
    }

    /// Returns whether a slice is sent; counts a slice that is not.
    private func admits(_ slice: borrowing PacketizedSlice, since: UInt64?, now: Instant) -> Bool {
        guard
            gate.admits(
                frameIndex: slice.frameIndex, isFirst: slice.isFirst, isKeyframe: slice.isKeyframe, repairsSince: since)
        else {
            // A repair picture that does not arrive is requested again, and finally replaced by a keyframe.
            if slice.isFirst, gate.needsKeyframe { keyframes.missed(now: now) }
            drops.count(.awaitingKeyframe)
            return false
        }
        guard slice.fits(largestPayload) else {
            gate.close()
            drops.count(.payloadTooLarge)
            return false
        }
        return true
    }

    /// Begins an admitted frame with its first slice.
    private func begin(
        _ slice: borrowing PacketizedSlice, since: UInt64?, timestamp: UInt32, captured: Instant, now: Instant
    ) {
        if slice.isKeyframe {
            keyframes.clear()
            lastKeyframe = timestamp
        }
        if slice.isKeyframe || since != nil { beginEntry(slice, since: since, now: now) }
        lastTimestamp = (MediaClock.timestamp(slice.timing.captured), captured)
        framePackets = 0
        frameLongest = 0
        describe(slice, since: since)
    }

    private func queuePackets(
        of slice: borrowing PacketizedSlice, since: UInt64?, timestamp: UInt32, now: Instant
    ) {
        let kind = OutgoingPacket.Kind.media(
            frame: slice.frameIndex, isKeyframe: slice.isKeyframe, repairsSince: since)
        var mark = slice.isFirst ? since.flatMap { frames.timestamp(from: $0) } : nil
        for shared in slice.payloads {
            let dependency = descriptions.take(isLast: shared.isLast)
            var (bytes, payload) = (slice.bytes, shared)
            if let own = numbering.rewritten(shared, of: slice.bytes) {
                (bytes, payload) = (own, PacketizedSlice.Payload(range: own.indices, isLast: shared.isLast))
            }
            let header = extensions.headerLength(
                isLast: payload.isLast, isMarked: mark != nil, dependency: dependency)
            let size = header + payload.range.count
            framePackets += 1
            frameLongest = max(frameLongest, size)
            queue(
                .payload(
                    bytes, payload, timestamp: timestamp, timing: slice.timing, repairsSince: mark,
                    dependency: dependency),
                size: size, as: kind, now: now)
            mark = nil
        }
    }

    /// Ends a frame whose packets are all queued.
    private func end(_ slice: borrowing PacketizedSlice, timestamp: UInt32, now: Instant) {
        statistics.frames += 1
        if slice.isKeyframe { statistics.keyframes += 1 }
        if pacer?.awaitsEntry != true { frames.noteWhole(slice.frameIndex) }
        let isEntry = entry?.frame == slice.frameIndex
        if isEntry { entry?.due = now + (pacer?.queueDelay ?? .zero) + answerTime }
        queueParity(of: slice, timestamp: timestamp, now: now)
        if isEntry, sendsEntriesOnly { rest(after: slice.frameIndex) }
    }

    /// Assigns a frame the numbers that identify it to a browser: in the dependency descriptor, and `frame_num`.
    private func describe(_ slice: borrowing PacketizedSlice, since: UInt64?) {
        guard describesFrames else {
            return descriptions.begin(slice, nil, isAgreed: false, isRepair: false, base: nil)
        }
        let parameters = slice.sequenceParameters
        // A browser whose losses are inferred decodes a repair picture only if it has this frame.
        let base = since == nil || takesRepairs ? nil : resumePoint.base.flatMap { frames.numbers(of: $0) }
        numbering.begin(slice, parameters, base: base?.coded)
        descriptions.begin(
            slice, parameters, isAgreed: true, isRepair: since != nil && base?.described == nil,
            base: base?.described)
        frames.number(
            slice.frameIndex, SentFrames.Numbers(described: descriptions.number, coded: numbering.current))
    }

    /// The time after a picture has left within which the peer's feedback on it must arrive.
    private var answerTime: Duration { (statistics.roundTrip ?? .milliseconds(200)) * 5 / 4 + .milliseconds(30) }

    /// Records an admitted picture with which the peer can resume decoding.
    private func beginEntry(_ slice: borrowing PacketizedSlice, since: UInt64?, now: Instant) {
        entry = Entry(frame: slice.frameIndex, since: since, due: now + .seconds(1))
        resumePoint.begins(slice.frameIndex, since: since)
        if since != nil { statistics.repairs += 1 }
        // A repair picture does not help if it can only follow frames after the last one that the peer has.
        if let since, let owed = repairs.since, owed < since { return }
        repairs.clear()
    }

    /// Queues the parity packets of a frame whose own packets are all queued.
    private func queueParity(of slice: borrowing PacketizedSlice, timestamp: UInt32, now: Instant) {
        guard let code = parityStream?.code, parityPlan.isActive else { return }
        let (blocks, largest) = ParityEncoder.blocks(of: framePackets, most: code.mostInBlock)
        let parities = parityPlan[largest]
        guard parities > 0 else { return }
        let size = extensions.headerLength(isLast: false) + code.overhead + frameLongest - RTPHeader.fixedSize
        for block in 0..<blocks {
            for index in 0..<parities {
                let isLast = block == blocks - 1 && index == parities - 1
                let parity = OutgoingPacket.Parity(
                    frame: slice.frameIndex, framePackets: framePackets, block: block, blocks: blocks, index: index,
                    parities: parities, isLast: isLast)
                queue(
                    .parity(parity, timestamp: timestamp), size: size,
                    as: .parity(frame: slice.frameIndex, isKeyframe: slice.isKeyframe), now: now)
            }
        }
    }

    private func queue(_ content: OutgoingPacket.Content, size: Int, as kind: OutgoingPacket.Kind, now: Instant) {
        let packet = OutgoingPacket(size: size, kind: kind, content: content)
        if pacer == nil { unpaced.append(packet) } else { pacer?.handle(packet, now: now) }
    }

    /// Sends one packet with a complete payload, such as audio, at once, bypassing the pacer.
    ///
    /// - Parameter captured: the capture time of the packet's content, on the clock of `now`, to which sender reports
    ///   map the RTP timestamp. `nil`: unknown; `now` is used instead.
    package func send(
        packet payload: [UInt8], timestamp: UInt32, marker: Bool, captured: Instant? = nil, as format: SendFormat,
        transport: inout BandwidthEstimator, now: Instant, _ emit: Emit
    ) {
        guard isActive else { return drops.count(.notSending) }
        guard payload.count <= largestPayload.other else { return drops.count(.payloadTooLarge) }
        self.format = format
        lastTimestamp = (timestamp, captured ?? now)
        depart(
            format, payload, payload.indices, timestamp: timestamp &+ configuration.timestampOffset, marker: marker,
            probe: nil, transport: &transport, now: now, emit)
    }

    // MARK: Sending

    /// Emits the packets that may leave now; `transport` assigns their transport-wide sequence numbers.
    package func pump(transport: inout BandwidthEstimator, now: Instant, _ emit: Emit) {
        while let output = pacer?.poll() {
            switch output {
            // A gap in the sequence numbers shows the peer that the frame is incomplete.
            case .cut: nextSequence = nextSequence.advanced(by: 1)
            case .dropped(let first): makeGood(from: first)
            case .pad(let size, let probe): pad(size, probe: probe, transport: &transport, now: now, emit)
            case .send(let packet, let probe): depart(packet, probe: probe, transport: &transport, now: now, emit)
            }
        }
        while let packet = unpaced.popFirst() { depart(packet, probe: nil, transport: &transport, now: now, emit) }
        if isDrained, tailProbe.poll(now: now) { pad(1, probe: nil, transport: &transport, now: now, emit) }
    }

    /// True if no media packet waits.
    private var isDrained: Bool { pacer?.isEmpty ?? unpaced.isEmpty }

    /// Requests a picture that makes up for the frames from `first` on, which were dropped.
    private func makeGood(from first: UInt64) {
        let reason = "the path is too slow"
        frames.noteDropped(from: first)
        guard takesRepairs || infersLosses else { return keyframes.ask(KeyframeWish(reason)) }
        guard let whole = frames.whole(before: first) else {
            gate.close()
            return keyframes.ask(KeyframeWish(reason))
        }
        resume(after: whole, reason)
    }

    /// Requests a picture that can follow the frame `whole`, and drops all frames until that picture: frames that refer
    /// to lost frames are useless to the peer.
    ///
    /// - Parameter hole: the first of the packets that are no longer retransmitted to the peer; `nil` if all still are.
    private func resume(after whole: UInt64, givingUpFrom hole: ExtendedSequence? = nil, _ reason: String) {
        gate.close(after: whole)
        resumePoint.waits(after: whole, givingUpFrom: hole)
        repairs.ask(RepairWish(since: whole, reason))
    }

    /// Sends padding: a copy of an earlier packet in the retransmission stream, or a new packet with padding alone and
    /// the timestamp of the newest packet sent.
    private func pad(
        _ size: Int, probe: UInt32?, transport: inout BandwidthEstimator, now: Instant, _ emit: Emit
    ) {
        guard let format else { return }
        if probe != nil, let padding, let kept = history[padding] {
            statistics.paddingBytes += kept.payload.count
            return departAgain(
                kept, padding, isPadding: true, probe: probe, transport: &transport, now: now, emit)
        }
        if isFirstFrameOnItsWay(now), let newest = history.newest(atLeast: 1), let kept = history[newest] {
            statistics.paddingBytes += kept.payload.count
            return departAgain(kept, newest, isPadding: true, probe: probe, transport: &transport, now: now, emit)
        }
        let count = min(SendPacer.plainPadding, max(1, size))
        statistics.paddingBytes += count
        var bytes = [UInt8](repeating: 0, count: count)
        bytes[count - 1] = UInt8(count)
        depart(
            format, bytes, bytes.indices, timestamp: lastWireTimestamp, marker: false, isPadding: true,
            probe: probe, transport: &transport, now: now, emit)
    }

    /// True until `firstFrameTime` after the first frame left: by then the peer has completed that frame, or has
    /// requested a keyframe. Always false if the peer supports repair pictures, or if there is no retransmission
    /// stream.
    ///
    /// A peer with libwebrtc forgets padding packets that use the media stream's sequence numbers and arrive before its
    /// first frame is complete, and later waits for those numbers: it shows nothing for three seconds, then requests a
    /// keyframe. On a lossy path the first frame is late enough for this to happen.
    private func isFirstFrameOnItsWay(_ now: Instant) -> Bool {
        guard !configuration.takesRepairs, hasRetransmissionStream else { return false }
        return firstFrameLeft.map { now - $0 < Self.firstFrameTime } ?? true
    }

    private func depart(
        _ packet: OutgoingPacket, probe: UInt32?, transport: inout BandwidthEstimator, now: Instant, _ emit: Emit
    ) {
        switch packet.content {
        case .payload(let bytes, let payload, let timestamp, let timing, let since, let dependency):
            guard let format else { return }
            if dependency?.isFirst == true, resumePoint.left(packet.frame, nextSequence) {
                history.forgetHoles(before: nextSequence)
            }
            // Without the structure a browser can use no later packet, so its loss costs more than that of any other.
            if dependency?.structure != nil, format.repair != .none,
                max(statistics.fractionLost, transport.losses.share) > Self.structureLoss
            {
                structureAgain = (nextSequence, now + Self.structureSpacing)
            }
            depart(
                format, bytes, payload.range, timestamp: timestamp, marker: payload.isLast,
                timing: payload.isLast ? timing : nil, repairsSince: since, dependency: dependency,
                frame: packet.frame, probe: probe, transport: &transport, now: now, emit)
            if payload.isLast, firstFrameLeft == nil { firstFrameLeft = now }
            if format.repair != .none { tailProbe.mediaLeft(now: now) }
        case .parity(let parity, let timestamp):
            depart(parity, timestamp: timestamp, probe: probe, transport: &transport, now: now, emit)
        case .copy(let original): departAgain(original, probe: probe, transport: &transport, now: now, emit)
        }
    }

    /// Makes a parity packet and emits it, unless part of its frame was dropped.
    private func depart(
        _ place: OutgoingPacket.Parity, timestamp: UInt32, probe: UInt32?, transport: inout BandwidthEstimator,
        now: Instant, _ emit: Emit
    ) {
        guard let stream = parityStream, parity.isWhole(place.frame, packets: place.framePackets) else { return }
        defer { if place.isLast { parity.removeAll() } }
        let sequence = nextParity
        let header = RTPHeader(
            marker: place.isLast && stream.code.marksLast, payloadType: stream.payloadType, sequence: sequence.wire,
            timestamp: timestamp, ssrc: stream.ssrc)
        var packet: [UInt8] = []
        packet.reserveCapacity(configuration.largestPacket + configuration.reserve)
        extensions.write(header, FrameNotes(), into: &packet)
        let headerLength = packet.count
        guard
            parity.append(
                parity: place.index, of: place.parities, block: place.block, of: place.blocks, to: &packet)
        else { return }
        nextParity = sequence.advanced(by: 1)
        stamp(&packet, probe: probe, &transport, now: now)
        statistics.parityPackets += 1
        statistics.parityBytes += packet.count - headerLength
        emit(.packet(consume packet, headerLength: headerLength, sequence: sequence, isKept: false))
    }

    private func depart(
        _ format: SendFormat, _ bytes: [UInt8], _ payload: Range<Int>, timestamp: UInt32, marker: Bool,
        timing: FrameTiming? = nil, repairsSince: UInt32? = nil, dependency: DependencyDescriptor? = nil,
        isPadding: Bool = false, frame: UInt64? = nil, probe: UInt32?, transport: inout BandwidthEstimator,
        now: Instant, _ emit: Emit
    ) {
        let sequence = nextSequence
        nextSequence = nextSequence.advanced(by: 1)
        var header = RTPHeader(
            marker: marker, payloadType: format.payloadType, sequence: sequence.wire, timestamp: timestamp, ssrc: ssrc)
        header.hasPadding = isPadding
        let notes = FrameNotes(
            timing: timing.map { FrameTimingExtension(timing: $0, sent: now) }, repairsSince: repairsSince,
            dependency: dependency)
        var source: (sequence: ExtendedSequence, frame: UInt64?, isPadding: Bool)?
        if parityStream != nil, parityPlan.isActive {
            source = (sequence, frame, isPadding)
        } else {
            parity.removeAll()
        }
        let copy = format.repair == .none ? nil : copy(sequence, transport)
        let packet = make(
            header, notes, original: nil, source: source, bytes, payload, probe: probe, copy: copy,
            transport: &transport, now: now)
        statistics.packets += 1
        // Padding is not counted. A lost padding packet is retransmitted without a payload, so that its number leaves
        // no gap.
        let payload = isPadding ? payload.upperBound..<payload.upperBound : payload
        statistics.bytes += payload.count
        if format.repair != .none {
            let isShared = format.repair != .samePacket
            history.insert(
                SentPacket(
                    bytes: isShared ? bytes : [], payload: payload, timestamp: timestamp, marker: marker,
                    repair: format.repair, sent: now, timing: timing, repairsSince: repairsSince,
                    dependency: dependency), sequence: sequence)
            history.departed(sequence, copy: copy?.number)
        }
        lastWireTimestamp = timestamp
        emit(
            .packet(
                consume packet, headerLength: extensions.headerLength(notes), sequence: sequence,
                isKept: format.repair == .samePacket))
    }

    private func departAgain(
        _ original: ExtendedSequence, probe: UInt32?, transport: inout BandwidthEstimator, now: Instant, _ emit: Emit
    ) {
        guard let kept = history[original] else { return drops.count(.strayFeedback) }
        statistics.retransmittedPackets += 1
        statistics.retransmittedBytes += kept.payload.count
        departAgain(kept, original, isPadding: false, probe: probe, transport: &transport, now: now, emit)
    }

    private func departAgain(
        _ kept: SentPacket, _ original: ExtendedSequence, isPadding: Bool, probe: UInt32?,
        transport: inout BandwidthEstimator, now: Instant, _ emit: Emit
    ) {
        // A copy sent as padding needs no retransmission if it is lost.
        let copy = isPadding ? nil : copy(original, transport)
        if !isPadding { history.departed(original, copy: copy?.number) }
        guard case .retransmissionStream(let type) = kept.repair, let ssrc = configuration.retransmissionSSRC else {
            return emit(.again(original))
        }
        let sequence = nextRetransmission
        nextRetransmission = nextRetransmission.advanced(by: 1)
        let header = RTPHeader(
            marker: kept.marker, payloadType: type, sequence: sequence.wire, timestamp: kept.timestamp,
            ssrc: ssrc)
        // The times are those of the original, so that parity decoding can use the retransmission in place of the
        // original.
        let notes = FrameNotes(
            timing: kept.timing.map { FrameTimingExtension(timing: $0, sent: kept.sent) },
            repairsSince: kept.repairsSince, dependency: kept.dependency)
        let packet = make(
            header, notes, original: original.wire, source: nil, kept.bytes, kept.payload, probe: probe, copy: copy,
            transport: &transport, now: now)
        emit(
            .packet(
                consume packet, headerLength: extensions.headerLength(notes), sequence: sequence, isKept: false))
    }

    /// Builds the packet as one array: header, extension, payload, and spare capacity for encryption.
    ///
    /// - Parameter source: the packet's values for the parity encoder; `nil` if parity does not cover it.
    private func make(
        _ header: RTPHeader, _ notes: FrameNotes, original: UInt16?,
        source: (sequence: ExtendedSequence, frame: UInt64?, isPadding: Bool)?, _ bytes: [UInt8],
        _ payload: Range<Int>, probe: UInt32?, copy: PacketCopy?, transport: inout BandwidthEstimator, now: Instant
    ) -> [UInt8] {
        var packet: [UInt8] = []
        packet.reserveCapacity(
            extensions.headerLength(notes) + Retransmission.overhead + payload.count
                + configuration.reserve)
        extensions.write(header, notes, into: &packet)
        if let original { Retransmission.append(original: original, to: &packet) }
        packet.append(contentsOf: bytes[payload])
        if let source {
            parity.take(
                packet.span.bytes, headerLength: extensions.headerLength(notes),
                payload: source.isPadding ? 0 : payload.count, sequence: source.sequence, frame: source.frame)
        }
        stamp(&packet, probe: probe, copy: copy, &transport, now: now)
        return packet
    }

    /// The record of the transmission that leaves next; `nil` if the peer sends no transport-wide feedback.
    private func copy(_ sequence: ExtendedSequence, _ transport: BandwidthEstimator) -> PacketCopy? {
        guard extensions.isTransportWide else { return nil }
        return PacketCopy(ssrc: ssrc, sequence: sequence, number: transport.record.next)
    }

    /// Writes the sending time and the transport-wide number into a packet, and records the packet for feedback.
    private func stamp(
        _ packet: inout [UInt8], probe: UInt32?, copy: PacketCopy? = nil, _ transport: inout BandwidthEstimator,
        now: Instant
    ) {
        extensions.stamp(&packet, sent: now, transportSequence: UInt16(truncatingIfNeeded: transport.record.next))
        if extensions.isTransportWide { transport.sent(packet.count, probe: probe, copy: copy, now: now) }
    }

    // MARK: Feedback

    package func handle(_ nack: GenericNACK, now: Instant) {
        let lost = nack.lost
        statistics.nackedPackets += lost.count
        guard isActive, let format, format.repair != .none else { return drops.count(.refusedNACK) }
        for wire in lost {
            if let sequence = sent(wire), isGivenUp(sequence) {
                drops.count(.outdatedNACK)
                continue
            }
            let answer = history.request(wire, now: now)
            if let timestamp = answer.abandoned { giveUp(timestamp) }
            if let (sequence, size) = answer.resent { queueCopy(of: sequence, size, now) }
        }
    }

    /// The number of a packet that was sent, from its low 16 bits; `nil` if there is none.
    private func sent(_ wire: UInt16) -> ExtendedSequence? {
        let behind = UInt64((nextSequence.wire &- 1) &- wire) + 1
        return behind <= nextSequence.rawValue ? ExtendedSequence(nextSequence.rawValue - behind) : nil
    }

    /// True for a packet that a browser no longer needs, as a keyframe or repair picture makes up for it.
    private func isGivenUp(_ packet: ExtendedSequence) -> Bool {
        (peerReportsLosses || infersLosses) && resumePoint.givesUp(packet)
    }

    /// Queues a retransmission of the packet with this number, whose payload has `size` bytes.
    private func queueCopy(of sequence: ExtendedSequence, _ size: Int, _ now: Instant) {
        let head = extensions.headerLength(isLast: false, dependency: history[sequence]?.dependency)
        let packet = OutgoingPacket(
            size: head + Retransmission.overhead + size, kind: .retransmission, content: .copy(of: sequence))
        pacer?.handle(packet, now: now)
    }

    /// Retransmits a packet whose newest copy transport-wide feedback reports as missing.
    ///
    /// A browser that only receives does not know the round-trip time: it repeats a NACK only after 100 ms, and the
    /// picture freezes for that time if a NACK or a retransmission is lost. Transport-wide feedback comes about every
    /// 50 ms and covers retransmissions, too. Heliograph's own viewers know the round-trip time, so for them this does
    /// nothing.
    package func handle(missing copy: PacketCopy, now: Instant) {
        guard isActive, !configuration.takesRepairs, case .retransmissionStream? = format?.repair else { return }
        // The packet may have been restored from parity, though feedback reports it as missing.
        if parityStream != nil, parityPlan.isActive, history[copy.sequence]?.lastResent == nil { return }
        if isGivenUp(copy.sequence) { return }
        guard let size = history.report(missing: copy, now: now) else { return }
        if !isRepaired(copy.sequence, now: now) { queueCopy(of: copy.sequence, size, now) }
    }

    /// Handles transport-wide feedback that a copy of a packet was received.
    package func handle(arrived copy: PacketCopy) {
        if describesFrames { history.report(arrived: copy) }
    }

    /// Requests a keyframe in place of a packet that the peer still lacks but is not expected to request again. A peer
    /// that supports repair pictures reports by itself which frames it lacks.
    private func giveUp(_ timestamp: UInt32) {
        guard !takesRepairs, let lastKeyframe, Int32(bitPattern: timestamp &- lastKeyframe) >= 0 else { return }
        keyframes.ask(KeyframeWish("the viewer asks for a packet in vain"))
    }

    /// Requests a repair picture instead of a further retransmission of a packet that a browser has awaited for long,
    /// and of which no copy is on its way.
    ///
    /// - Returns: false if the packet is to be sent again.
    private func isRepaired(_ sequence: ExtendedSequence, now: Instant) -> Bool {
        guard infersLosses, !gate.awaitsKeyframe, history.isLate(sequence, patience: repairPatience, now: now) else {
            return false
        }
        let wait = (statistics.roundTrip ?? .milliseconds(100)) * 2 + .milliseconds(200)
        // If the first missing packet belongs to an earlier frame, packets on their way may still complete that frame.
        guard let hole = history.firstHole(from: resumePoint.sequence, unaskedFor: wait, now: now),
            hole.timestamp == history[sequence]?.timestamp, let frame = frames.index(at: hole.timestamp)
        else { return false }
        if let entry, entry.frame > frame || entry.frame == frame && now < entry.due { return false }
        // The picture to resume with may itself be incomplete.
        guard let whole = entry?.frame == frame ? resumePoint.base : frames.whole(before: frame) else { return false }
        resume(after: whole, givingUpFrom: hole.sequence, "the viewer lacks a packet for long")
        return true
    }

    /// The time for which a browser waits for a packet before the packet is given up: the duration of eight
    /// retransmissions, but at most the greater of 200 ms and two round trips, similar to the wait of Heliograph's own
    /// viewers.
    private var repairPatience: Duration {
        let roundTrip = statistics.roundTrip ?? .milliseconds(100)
        return min(max(.milliseconds(200), roundTrip * 2), roundTrip * 10 + .milliseconds(8))
    }

    /// Handles a Picture Loss Indication (PLI): requests a keyframe, unless the peer's own reports replace its
    /// requests.
    ///
    /// - Parameter isLastResort: true if the peer supports repair pictures, and they have not helped.
    package func handlePictureLoss(isLastResort: Bool = false) {
        statistics.pictureLossIndications += 1
        guard isActive else { return }
        if peerReportsLosses { return drops.count(.unheededPictureLoss) }
        keyframes.ask(KeyframeWish("the viewer lost the picture", isLastResort: isLastResort))
    }

    /// Handles the peer's report of the last frame that it has complete, which it sends after losing later frames.
    package func handle(_ selection: ReferencePictureSelection, now: Instant) {
        statistics.repairRequests += 1
        guard isActive, takesRepairs, let timestamp = selection.timestamp else {
            return drops.count(.refusedRepair)
        }
        guard let frame = frames.whole(at: timestamp) else { return drops.count(.unknownPicture) }
        repair(after: frame, now: now)
    }

    /// Handles the report of a browser's page that it can show no frame after the one with the RTP timestamp `whole`;
    /// `nil`: it can only resume with a keyframe.
    package func handlePictureLost(after whole: UInt32?, now: Instant) {
        statistics.repairRequests += 1
        guard isActive else { return drops.count(.refusedRepair) }
        if takesRepairs, let whole, let frame = frames.whole(at: whole) { return repair(after: frame, now: now) }
        if let entry, entry.since == nil, now < entry.due { return drops.count(.repairUnderWay) }
        keyframes.ask(KeyframeWish("the page lost the picture"))
    }

    /// Requests a picture that can follow `frame`, the last one that the peer has complete, unless one is on its way.
    private func repair(after frame: UInt64, now: Instant) {
        if let entry, entry.frame > frame, entry.since.map({ $0 <= frame }) ?? true, now < entry.due {
            return drops.count(.repairUnderWay)
        }
        // A keyframe is already awaited.
        guard !gate.needsKeyframe else { return drops.count(.repairUnderWay) }
        resume(after: frame, "the viewer lost frames")
    }

    /// Awaits a keyframe in place of a repair picture, as the peer no longer supports repair pictures.
    private func giveUpRepairs() {
        repairs.clear()
        guard isActive, gate.awaitsKeyframe else { return }
        gate.close()
        keyframes.ask(KeyframeWish("a viewer takes repair pictures no more"))
    }

    /// True while the peer awaits a repair picture.
    package var owesRepair: Bool { !repairs.isEmpty }

    /// Returns the request for a repair picture to pass to the encoder now.
    package func pollRepair(now: Instant) -> RepairWish? {
        let roundTrip = statistics.roundTrip
        if repairs.isHopeless(roundTrip: roundTrip, now: now) {
            repairs.clear()
            keyframes.ask(KeyframeWish("no repair has come", isLastResort: true))
        }
        return repairs.poll(roundTrip: roundTrip, now: now)
    }

    package var repairDeadline: Deadline? { repairs.deadline(roundTrip: statistics.roundTrip) }

    /// Handles an FIR entry; a repeated request has the same sequence number, and is ignored (RFC 5104 section
    /// 4.3.1.1).
    package func handleFullIntraRequest(_ entry: FullIntraRequest.Entry, from sender: SSRC) {
        guard lastFIR[sender] != entry.sequence else { return }
        if lastFIR.count >= 8 { lastFIR.removeAll() }
        lastFIR[sender] = entry.sequence
        statistics.fullIntraRequests += 1
        guard isActive else { return }
        if peerReportsLosses { return drops.count(.unheededPictureLoss) }
        keyframes.ask(KeyframeWish("the viewer asked for one"))
    }

    package func handle(_ block: ReportBlock, now: Instant) {
        if UInt16(truncatingIfNeeded: block.highestSequence) == nextSequence.wire &- 1 { tailProbe.stop() }
        statistics.packetsLost = Int(block.cumulativeLost)
        statistics.fractionLost = Double(block.fractionLost) / 256
        let rate = Int64(max(1, format?.clockRate ?? 90_000))
        statistics.jitter = .nanoseconds(Int64(block.jitter) * 1_000_000_000 / rate)
        if let time = MediaClock.roundTrip(block, now: now + configuration.clockOffset) {
            statistics.roundTrip = time
            statistics.roundTrips += 1
            history.resendSpacing = max(time, .milliseconds(2))
        }
    }

    // MARK: Timers

    package var deadline: Deadline? {
        // The tail probe is due only if no packets wait, as the pacer sends waiting packets soon, which serve as tail
        // probes.
        let again = structureAgain.map { Deadline(at: $0.due, why: "a keyframe's structure goes again") }
        return .earliest(again, .earliest(pacer?.deadline, isDrained ? tailProbe.deadline : nil))
    }

    package func tick(now: Instant) {
        if let (sequence, due) = structureAgain, now >= due {
            structureAgain = nil
            if let size = history.repeatOnce(sequence, now: now) { queueCopy(of: sequence, size, now) }
        }
        pacer?.tick(now: now)
    }

    /// Returns the next sender report; `nil` if there is none to send yet.
    package func makeReport(now: Instant) -> SenderReport? {
        history.forgetOld(now: now)
        guard isActive, statistics.packets > 0 || configuration.isHostClock, let timestamp = timestamp(at: now) else {
            return nil
        }
        return SenderReport(
            ssrc: ssrc, ntpTime: MediaClock.ntp(now + configuration.clockOffset), rtpTimestamp: timestamp,
            packetCount: UInt32(truncatingIfNeeded: statistics.packets),
            octetCount: UInt32(truncatingIfNeeded: statistics.bytes))
    }

    /// The stream's RTP timestamp at `now`; `nil` before its first packet, if the clock is an app's.
    private func timestamp(at now: Instant) -> UInt32? {
        if configuration.isHostClock { return MediaClock.timestamp(now) &+ configuration.timestampOffset }
        guard let format, let last = lastTimestamp else { return nil }
        let ticks = (now - last.at).nanoseconds / 1000 * Int64(format.clockRate) / 1_000_000
        return last.value &+ UInt32(truncatingIfNeeded: ticks) &+ configuration.timestampOffset
    }

    // MARK: Statistics

    package var allStatistics: OutboundStatistics {
        var all = statistics
        all.droppedFrames = pacer?.droppedFrames ?? 0
        return all
    }

    package var allDrops: [String: Int] {
        .sum(drops.named("media-"), pacer?.drops.named("pacer-"), history.drops.named("resend-"))
    }
}
