internal import DequeModule
package import HelioCore

/// Spreads bursts over time, so that they wait here and not in a queue on the path (peers.md ask 31).
///
/// A token bucket: packets leave at the rate that the path carries, five milliseconds' worth at most at once. Control
/// goes first and never waits; retransmissions go before new pictures, since the picture that the sink shows hangs on
/// them.
///
/// A probe takes whatever waits, and padding for the rest, at a rate of its own.
///
/// The queue of media is bounded in time and bytes. When a new frame finds more waiting than that, the waiting media is
/// stale: all of it is dropped, whole frames, and so is what refers to it until a keyframe comes, or a repair picture
/// that follows on what was sent before. A keyframe's own bytes don't count towards the time, nor a repair picture's:
/// it would else be dropped for the frame that follows it, again and again.
package struct SendPacer: Engine, Sendable {
    package struct Configuration: Sendable, Hashable {
        /// The bucket's size as time at the rate.
        package var burst: Duration = .milliseconds(5)
        /// The bucket's least size: a packet or two.
        package var leastBurstBytes = 2400
        /// The longest wait that media may face when a new frame comes.
        package var longestQueue: Duration = .milliseconds(150)
        /// The longest wait that a retransmission may face.
        package var longestRepair: Duration = .milliseconds(100)
        /// The most bytes that may wait at all, however long that takes.
        package var mostBytes = 16 * 1024 * 1024

        package init() {}
    }

    package enum Output: Sendable {
        /// - Parameter probe: the probe that it is part of.
        case send(OutgoingPacket, probe: UInt32?)
        /// So many bytes that mean nothing, which complete a probe.
        case pad(Int, probe: UInt32)
        /// The rest of a frame that has begun to leave was dropped: its last packet will not come.
        case cut
        /// This frame and all after it were dropped, at least in part: what the encoder gives next must not refer to
        /// them.
        case dropped(from: UInt64)
    }

    /// A reason for which a packet is dropped.
    package enum Drop: String, CaseIterable, Sendable {
        /// It had waited too long when a newer frame came.
        case stale
        /// It refers to a frame that was dropped.
        case awaitingKeyframe
        /// More than `mostBytes` would wait.
        case overflow
    }

    /// The rate at which packets leave; takes effect at once.
    package var rate: Bitrate
    /// The bytes that may leave until more is said, on a path with a flow control of its own; `nil`: any number.
    package var room: Int?
    package private(set) var drops = DropCounter<Drop>()
    /// Whole frames lost to the drops above.
    package private(set) var droppedFrames = 0
    /// The bytes that wait, of media and retransmissions.
    package private(set) var queuedBytes = 0

    /// The largest packet of padding alone: a byte tells its length (RFC 3550 section 5.1).
    package static let plainPadding = 255

    private let configuration: Configuration
    private var media = Deque<OutgoingPacket>()
    private var retransmissions = Deque<OutgoingPacket>()
    private var outputs = Deque<Output>()
    /// The bytes that may be sent now; below zero after a packet larger than what was left.
    private var tokens: Double
    /// Those of them of keyframes and repair pictures.
    private var queuedEntryBytes = 0
    private var retransmissionBytes = 0
    private var filled: Instant?
    private var newestFrame: UInt64?
    private var dropping: UInt64?
    /// The frame whose packets left last.
    private var begun: UInt64?
    /// The first frame that was dropped; what refers to it is dropped too.
    private var missing: UInt64?
    private var probe: (probe: Probe, bytes: Int, packets: Int)?
    private var largestPadding = SendPacer.plainPadding

    package init(rate: Bitrate, configuration: Configuration = Configuration()) {
        self.rate = rate
        self.configuration = configuration
        tokens = 0
        tokens = burstBytes
    }

    package mutating func handle(_ packet: consuming OutgoingPacket, now: Instant) {
        switch packet.kind {
        case .control:
            // Taken from the bucket all the same: what is sent is sent.
            refill(now)
            spend(packet.size)
            outputs.append(.send(packet, probe: nil))
        case .retransmission:
            // What would come later than the peer waits is not worth its place; the peer asks again where it is.
            if delay(of: retransmissionBytes) > configuration.longestRepair { return drops.count(.stale) }
            if queuedBytes + packet.size > configuration.mostBytes { return drops.count(.overflow) }
            retransmissionBytes += packet.size
            queuedBytes += packet.size
            retransmissions.append(packet)
        case .media(let frame, let isKeyframe, let since):
            if frame != newestFrame { admit(frame, isKeyframe: isKeyframe, repairsSince: since) }
            queue(packet, of: frame)
        case .parity(let frame, let isKeyframe):
            if frame != newestFrame { admit(frame, isKeyframe: isKeyframe, repairsSince: nil) }
            queue(packet, of: frame)
        }
        tick(now: now)
    }

    private mutating func queue(_ packet: consuming OutgoingPacket, of frame: UInt64) {
        if frame == dropping { return drops.count(.awaitingKeyframe) }
        if queuedBytes + packet.size > configuration.mostBytes {
            drops.count(.overflow)
            return dropMedia(andFrame: frame, as: .overflow)
        }
        queuedBytes += packet.size
        if packet.isOfEntry { queuedEntryBytes += packet.size }
        media.append(packet)
    }

    /// Notes bytes that went past the pacer on the same path: they are taken from the bucket as control's are.
    package mutating func note(beside bytes: Int, now: Instant) {
        refill(now)
        tokens -= Double(bytes)
    }

    package mutating func tick(now: Instant) {
        refill(now)
        while tokens > 0, hasRoom, let packet = retransmissions.popFirst() ?? media.popFirst() {
            spend(packet.size)
            unqueue(packet)
            if case .media(let frame, _, _) = packet.kind { begun = frame }
            outputs.append(.send(packet, probe: probe?.probe.id))
            notePart(packet.size)
        }
        while tokens > 0, hasRoom, let (probe, bytes, packets) = probe {
            let size = max(1, min(largestPadding, max(probe.bytes - bytes, (probe.packets - packets) * 64)))
            spend(size)
            outputs.append(.pad(size, probe: probe.id))
            notePart(size)
        }
    }

    private var hasRoom: Bool { room.map { $0 > 0 } ?? true }

    private mutating func spend(_ size: Int) {
        tokens -= Double(size)
        if let room { self.room = room - size }
    }

    /// Sends a probe from now on; one that is under way ends.
    ///
    /// - Parameter largestPadding: the most bytes that a packet of padding can have.
    package mutating func begin(_ probe: Probe, largestPadding: Int, now: Instant) {
        refill(now)
        self.largestPadding = largestPadding
        self.probe = (probe, 0, 0)
        // Its own rate alone counts, from its first packet on.
        tokens = 1
        tick(now: now)
    }

    private mutating func notePart(_ size: Int) {
        guard let (open, bytes, packets) = probe else { return }
        let isOver = bytes + size >= open.bytes && packets + 1 >= open.packets
        probe = isOver ? nil : (open, bytes + size, packets + 1)
    }

    /// Drops the frames that wait, as what comes next refers to none of them and makes good for none. What has begun to
    /// leave leaves whole.
    package mutating func dropWaiting() {
        dropMedia(andFrame: nil, as: .stale)
        (missing, newestFrame) = (nil, nil)
    }

    package mutating func poll() -> Output? { outputs.popFirst() }

    package var deadline: Deadline? {
        guard queuedBytes > 0 || probe != nil, hasRoom, let filled else { return nil }
        // One byte more than nothing, rounded up to whole nanoseconds, so that a tick then always sends.
        let wait = (1 - tokens) / bytesPerNanosecond
        return Deadline(at: filled + .nanoseconds(Int64(max(0, wait).rounded(.up)) + 1), why: "pacing")
    }

    /// The time until the last byte that waits now has left.
    package var queueDelay: Duration { delay(of: queuedBytes) }
    /// The same without keyframes and repair pictures: what waits is dropped once this is too long and a frame comes.
    package var staleDelay: Duration { delay(of: queuedBytes - queuedEntryBytes) }

    /// Decides on a frame when its first packet comes: frames are sent or dropped whole.
    private mutating func admit(_ frame: UInt64, isKeyframe: Bool, repairsSince since: UInt64?) {
        newestFrame = frame
        dropping = nil
        /// Returns whether the frame is of use where the frames from `first` on are missing.
        func helps(after first: UInt64?) -> Bool { isKeyframe || since.map { $0 < first ?? frame } ?? false }
        if !media.isEmpty, staleDelay > configuration.longestQueue {
            let first = min(missing ?? .max, firstQueued ?? frame)
            dropMedia(andFrame: helps(after: first) ? nil : frame, as: .stale)
        } else if missing != nil, !helps(after: missing) {
            dropping = frame
            droppedFrames += 1
        }
        if dropping == nil { missing = nil }
    }

    /// The first frame that waits and has not begun to leave.
    private var firstQueued: UInt64? {
        for packet in media { if case .media(let index, _, _) = packet.kind, index != begun { return index } }
        return nil
    }

    /// Drops the frames that wait, but for what is left of one that has begun to leave: the peer could not tell that it
    /// is not whole.
    private mutating func dropMedia(andFrame frame: UInt64?, as reason: Drop) {
        var last: UInt64?
        var kept = Deque<OutgoingPacket>()
        let first = firstQueued
        while let packet = media.popFirst() {
            if let begun, begun != frame, packet.frame == begun {
                kept.append(packet)
                continue
            }
            unqueue(packet)
            drops.count(reason)
            guard case .media(let index, _, _) = packet.kind, index != last else { continue }
            last = index
            if index != frame { droppedFrames += 1 }
        }
        media = kept
        dropping = frame
        if frame != nil, begun == frame { outputs.append(.cut) }
        guard let frame else { return }
        droppedFrames += 1
        let dropped = min(missing ?? .max, first ?? frame)
        missing = dropped
        outputs.append(.dropped(from: dropped))
    }

    private mutating func unqueue(_ packet: borrowing OutgoingPacket) {
        queuedBytes -= packet.size
        if packet.kind == .retransmission { retransmissionBytes -= packet.size }
        if packet.isOfEntry { queuedEntryBytes -= packet.size }
    }

    private func delay(of bytes: Int) -> Duration { .nanoseconds(Int64(Double(bytes) / bytesPerNanosecond)) }

    private mutating func refill(_ now: Instant) {
        if let filled, now > filled {
            tokens = min(burstBytes, tokens + Double((now - filled).nanoseconds) * bytesPerNanosecond)
        }
        filled = max(filled ?? now, now)
    }

    private var bytesPerNanosecond: Double {
        Double(max(1, (probe?.probe.rate ?? rate).bitsPerSecond)) / 8e9
    }

    private var burstBytes: Double {
        probe == nil
            ? max(Double(configuration.leastBurstBytes), Double(rate.bitsPerSecond) / 8 * configuration.burst.inSeconds)
            : 1
    }
}
