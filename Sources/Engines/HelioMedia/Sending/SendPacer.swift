internal import DequeModule
package import HelioCore

/// Spreads bursts over time, so that packets wait here and not in a queue on the path.
///
/// The pacer is a token bucket: packets leave at the path's rate, at most five milliseconds' worth at once. Control
/// packets are sent first and never wait; retransmissions are sent before new pictures, which depend on them.
///
/// A probe consists of queued packets, and of padding for the rest, sent at the probe's own rate.
///
/// The media queue is bounded in time and bytes. When a new frame finds more waiting than that, the waiting media is
/// stale: all of it is dropped, in whole frames, and so are the frames that refer to it, until a keyframe or a repair
/// picture that can follow the frames sent before. The bytes of keyframes and repair pictures don't count towards the
/// time: otherwise they would be dropped for the frame that follows, again and again.
package struct SendPacer: Engine, Sendable {
    package struct Configuration: Sendable, Hashable {
        /// The bucket's size, as the time in which it fills at `rate`.
        package var burst: Duration = .milliseconds(5)
        /// The bucket's minimum size in bytes: one or two packets.
        package var leastBurstBytes = 2400
        /// The longest queue, as sending time at `rate`, that may wait when a new frame is added; a longer queue is
        /// dropped as stale.
        package var longestQueue: Duration = .milliseconds(150)
        /// The longest time that a retransmission may wait.
        package var longestRepair: Duration = .milliseconds(100)
        /// The limit for all waiting packets together in bytes, whatever the rate.
        package var mostBytes = 16 * 1024 * 1024

        package init() {}
    }

    package enum Output: Sendable {
        /// - Parameter probe: the ID of the probe that the packet is part of.
        case send(OutgoingPacket, probe: UInt32?)
        /// Send this many bytes of padding as part of a probe.
        case pad(Int, probe: UInt32)
        /// The rest of a partly sent frame was dropped: its last packet will not be sent.
        case cut
        /// This frame and all after it were dropped, at least in part: new pictures must not refer to them.
        case dropped(from: UInt64)
    }

    /// The reason why the pacer drops a packet.
    package enum Drop: String, CaseIterable, Sendable {
        /// The queue was longer than `longestQueue` when a newer frame was added, or longer than `longestRepair` for a
        /// retransmission; or `dropWaiting` was called.
        case stale
        /// The packet's frame refers to a dropped frame.
        case awaitingKeyframe
        /// The queue would have exceeded `mostBytes`.
        case overflow
    }

    /// The rate at which packets leave; takes effect at once.
    package var rate: Bitrate
    /// The bytes that may be sent until the value is set again, on a path with its own flow control; `nil`: no limit.
    package var room: Int?
    package private(set) var drops = DropCounter<Drop>()
    /// The number of frames dropped, wholly or in part.
    package private(set) var droppedFrames = 0
    /// The size of the waiting media and retransmissions, in bytes.
    package private(set) var queuedBytes = 0

    /// The maximum size of the padding in one packet, in bytes: its length field has one byte (RFC 3550 section 5.1).
    package static let plainPadding = 255

    private let configuration: Configuration
    private var media = Deque<OutgoingPacket>()
    private var retransmissions = Deque<OutgoingPacket>()
    private var outputs = Deque<Output>()
    /// The number of bytes that may be sent now; negative if the last packet was larger than that.
    private var tokens: Double
    /// The part of `queuedBytes` that belongs to keyframes and repair pictures.
    private var queuedEntryBytes = 0
    private var retransmissionBytes = 0
    private var filled: Instant?
    private var newestFrame: UInt64?
    private var dropping: UInt64?
    /// The frame whose packet left last.
    private var begun: UInt64?
    /// The first dropped frame; frames that refer to it are dropped, too.
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
            // Control packets never wait, but their bytes are taken from the bucket.
            refill(now)
            spend(packet.size)
            outputs.append(.send(packet, probe: nil))
        case .retransmission:
            // A retransmission that would arrive too late is dropped; if the peer still needs the packet, it repeats
            // the request.
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

    /// Subtracts from the bucket the bytes of packets that bypassed the pacer on the same path.
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

    /// Starts a probe; if another probe is under way, it ends.
    ///
    /// - Parameter largestPadding: the largest size of a padding packet.
    package mutating func begin(_ probe: Probe, largestPadding: Int, now: Instant) {
        refill(now)
        self.largestPadding = largestPadding
        self.probe = (probe, 0, 0)
        // A single token lets the probe's first packet leave; from then on the probe's own rate alone sets the pace.
        tokens = 1
        tick(now: now)
    }

    private mutating func notePart(_ size: Int) {
        guard let (open, bytes, packets) = probe else { return }
        let isOver = bytes + size >= open.bytes && packets + 1 >= open.packets
        probe = isOver ? nil : (open, bytes + size, packets + 1)
    }

    /// Drops the waiting frames without requiring a keyframe or repair picture: the caller ensures that the next frame
    /// does not refer to them. A partly sent frame is still completed.
    package mutating func dropWaiting() {
        dropMedia(andFrame: nil, as: .stale)
        (missing, newestFrame) = (nil, nil)
    }

    package mutating func poll() -> Output? { outputs.popFirst() }

    /// True while new frames are dropped because they refer to a dropped one.
    package var awaitsEntry: Bool { missing != nil }

    /// True while neither media nor outputs wait.
    package var isEmpty: Bool { media.isEmpty && outputs.isEmpty }

    package var deadline: Deadline? {
        guard queuedBytes > 0 || probe != nil, hasRoom, let filled else { return nil }
        // The wait lasts until the bucket holds one byte, rounded up to whole nanoseconds, so that a tick at its end
        // always sends.
        let wait = (1 - tokens) / bytesPerNanosecond
        return Deadline(at: filled + .nanoseconds(Int64(max(0, wait).rounded(.up)) + 1), why: "pacing")
    }

    /// The time until all bytes that wait now have left.
    package var queueDelay: Duration { delay(of: queuedBytes) }
    /// `queueDelay` without the bytes of keyframes and repair pictures: if it exceeds `longestQueue`, the next frame
    /// causes all waiting media to be dropped.
    package var staleDelay: Duration { delay(of: queuedBytes - queuedEntryBytes) }

    /// Decides at a frame's first packet whether to queue the frame: frames are sent or dropped whole.
    private mutating func admit(_ frame: UInt64, isKeyframe: Bool, repairsSince since: UInt64?) {
        newestFrame = frame
        dropping = nil
        /// Returns whether the frame can be decoded if the frames from `first` on are missing.
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

    /// The first waiting frame of which nothing has been sent.
    private var firstQueued: UInt64? {
        for packet in media { if case .media(let index, _, _) = packet.kind, index != begun { return index } }
        return nil
    }

    /// Drops the waiting frames, except the rest of a partly sent frame, as the peer could not detect that the frame is
    /// incomplete.
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
