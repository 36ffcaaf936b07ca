internal import DequeModule
package import HelioCore
internal import HelioRTP

/// Level 1: puts packets in order, and outputs whole frames that can be decoded.
///
/// A frame is output as soon as it and all frames before it are complete: on a clean network the buffer adds no delay.
/// Only a hole delays it, for as long as the packet may still come: the round trips of a few retransmissions and the
/// measured jitter, never longer than `longestWait`. Then the buffer gives up everything up to the next keyframe and
/// requests one, or, from a source of repair pictures, one of those, which follows the last frame output. A complete
/// picture of either kind further ahead ends the wait at once.
///
/// No frame is output whose references are missing. Missing packets are requested as soon as a later one shows the gap,
/// or, once the network has been seen to reorder packets, later by as long as the reordering took.
package struct JitterBuffer: Engine, Sendable {
    package struct Configuration: Sendable, Hashable {
        package var codec: VideoCodec
        /// The spec's `BufferingThreshold`.
        package var longestWait: Duration = .milliseconds(200)
        /// The least time to wait for a hole, in round trips, up to a second, even if that is longer than
        /// `longestWait`: a keyframe would take no less time.
        package var leastRoundTrips = 0
        /// The largest span of packets, from the oldest awaited to the newest; rounded up to a power of two.
        package var capacity = 2048
        /// The maximum size of all held packets and of the frame being assembled, in bytes.
        package var mostBytes = 16 * 1024 * 1024
        /// True if the source retransmits on request; otherwise only reordering is waited for.
        package var hasRetransmission = true
        /// True if the source sends repair pictures on request, and marks them and the end of each frame.
        package var givesRepairs = false
        /// The time for which repairs are requested; after it, a keyframe is requested instead. At least five round
        /// trips.
        package var repairPatience: Duration = .seconds(1)
        /// True if slices are output before their frame is complete.
        package var handsOutParts = false
        /// True if parameter sets precede every keyframe; otherwise the keyframe's first slice opens it, too.
        package var keyframesHaveParameterSets = true
        /// The largest number of requests for one packet.
        package var mostRequests = 10
        /// The number of requests to wait for before a frame is given up.
        package var waitedRequests = 8
        /// The largest gap in packets that is repaired; a larger one is skipped.
        package var largestGap = 512
        /// The least time between two requests for a keyframe; the round-trip time comes on top.
        package var keyframeSpacing: Duration = .milliseconds(100)
        /// The least time between two requests for a repair picture; five quarters of the round-trip time come on top.
        package var repairSpacing: Duration = .milliseconds(40)
        /// The wait for a keyframe among the first packets before one is requested.
        package var startPatience: Duration = .milliseconds(30)

        package init(codec: VideoCodec) {
            self.codec = codec
        }
    }

    package enum Input: Sendable {
        case packet(MediaPacket)
        /// All packets up to this one were sent: those that have not arrived are missing.
        case sent(through: ExtendedSequence)
        /// Packets from this number on are requested only after `patience`, as parity on its way may restore them; all
        /// parity for packets before has arrived.
        case awaitParity(from: ExtendedSequence, patience: Duration)
        /// A newly measured round-trip time to the source.
        case roundTrip(Duration)
        /// The decoder could not use a frame.
        case decoderFailed
    }

    package enum Output: Sendable {
        /// A part of the next frame, which may still be given up.
        case part(ReceivedPart)
        case frame(ReceivedFrame)
        /// Request the retransmission of these packets, in ascending order.
        case nack([ExtendedSequence])
        case needKeyframe(KeyframeReason)
        /// Request a repair picture that follows the frame with this RTP timestamp.
        case needRepair(UInt32)
    }

    package enum KeyframeReason: String, Sendable, Hashable, CaseIterable {
        /// There was no keyframe among the first packets.
        case start
        case packetsLost
        case malformed
        case overflow
        case decoderFailed
    }

    /// A reason for which a packet is dropped.
    package enum Drop: String, CaseIterable, Sendable {
        case duplicate
        /// The packet's frame was given up, or was already output.
        case late
        /// Further behind than the buffer remembers.
        case tooOld
        /// More waited than `capacity` or `mostBytes` allow.
        case overflow
        /// Part of a frame that could not be completed.
        case abandoned
        /// Part of a frame whose references are missing.
        case awaitingKeyframe
        /// A complete keyframe or repair picture came further ahead, or the codec changed.
        case superseded
        /// A missing packet that is no longer needed: a repair picture came behind it.
        case overtaken
        case malformed
    }

    package internal(set) var statistics = ReceptionStatistics()
    package internal(set) var drops = DropCounter<Drop>()
    /// The number of frames output so far.
    package internal(set) var frames: UInt64 = 0
    /// The number of times that everything up to the next keyframe or repair picture was given up.
    package internal(set) var abandonments = 0

    var configuration: Configuration
    var keyframeStart: KeyframeStart
    var ring: PacketRing
    var assembly: FrameAssembly
    var outputs = Deque<Output>()

    /// True while frames are output; otherwise a keyframe or repair picture is awaited.
    var isFlowing = false
    /// While flowing, the number of the next packet to consume; otherwise the first packet that may still be used.
    var base: UInt64 = 0
    var lowest: UInt64 = .max
    var highest: UInt64?
    var flowingSince = Instant.zero
    /// The opening packet of a picture behind a hole that decoding can start with, and the number up to which it is
    /// known to be complete.
    var ahead: (start: UInt64, scanned: UInt64, kind: Opening)?
    /// The RTP timestamp of the last frame output, if a repair picture may follow it.
    var lastWhole: UInt32?
    /// The time of the first repair request that is still unanswered.
    var repairsAsked: Instant?
    /// Repair pictures that the flow resumed with.
    package internal(set) var repairs = 0

    var roundTrip: Duration?
    /// The wait before a missing packet is requested, as it may only be reordered.
    var reorderTolerance = Duration.zero
    var lastReordered = Instant.zero
    var nextRequest: Instant?
    /// The first packet whose parity may still arrive, and the time to wait for it.
    var awaitedParity: (first: UInt64, patience: Duration)?

    var keyframeReason = KeyframeReason.start
    var nextKeyframeRequest: Instant?
    var lastKeyframeRequest: Instant?

    package init(configuration: Configuration) {
        self.configuration = configuration
        keyframeStart = KeyframeStart(
            codec: configuration.codec, needsParameterSets: configuration.keyframesHaveParameterSets)
        ring = PacketRing(capacity: configuration.capacity)
        assembly = FrameAssembly(codec: configuration.codec)
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        switch consume input {
        case .packet(let packet): handle(packet, now: now)
        case .sent(let last): noteSent(through: last.rawValue, now: now)
        case .awaitParity(let first, let patience): awaitParity(from: first.rawValue, patience: patience, now: now)
        case .roundTrip(let duration): roundTrip = max(.zero, duration)
        case .decoderFailed:
            // A keyframe that is on its way is as good as one that would be requested.
            if isFlowing, assembly.mustBeKeyframe { break }
            // Nothing can follow a frame that the decoder could not use.
            lastWhole = nil
            if isFlowing { abandon(.decoderFailed, now: now) }
        }
        tick(now: now)
    }

    package mutating func tick(now: Instant) {
        if let hole = holeDeadline, hole <= now { abandon(.packetsLost, now: now) }
        requestMissing(now: now)
        requestKeyframe(now: now)
    }

    package mutating func poll() -> Output? { outputs.popFirst() }

    package var deadline: Deadline? {
        var earliest = holeDeadline.map { Deadline(at: $0, why: "hole is given up") }
        earliest = .earliest(earliest, nextRequest.map { Deadline(at: $0, why: "ask for missing packets") })
        return .earliest(earliest, nextKeyframeRequest.map { Deadline(at: $0, why: "ask for a keyframe") })
    }

    var longestWait: Duration {
        max(configuration.longestWait, min((roundTrip ?? .zero) * configuration.leastRoundTrips, .seconds(1)))
    }

    /// The delay that level 2 should add to show frames evenly: four times the jitter, at most `longestWait`.
    /// Grows and shrinks with the jitter; the immediate policy ignores it.
    package var recommendedBuffer: Duration { min(statistics.jitterDuration * 4, configuration.longestWait) }

    /// Returns the numbers for the next receiver report, and begins a new interval.
    package mutating func makeReport() -> ReceptionReport { statistics.makeReport() }
}
