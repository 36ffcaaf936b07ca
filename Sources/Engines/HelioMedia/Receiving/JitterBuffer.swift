internal import DequeModule
package import HelioCore
internal import HelioRTP

/// Puts the packets of a video stream in order, and outputs whole frames that can be decoded.
///
/// A frame is output as soon as it and all frames before it are complete: on a clean network the buffer adds no delay.
/// Only a missing packet delays it, for as long as that packet may still arrive: the round trips of a few
/// retransmissions and the measured jitter, at most `longestWait`. Then the buffer drops all packets until the next
/// keyframe, and requests one, or, if the source supports them, a repair picture that follows the last frame output. A
/// complete keyframe or repair picture further ahead ends the wait at once.
///
/// No frame is output whose references are missing. A missing packet is requested as soon as a later packet reveals the
/// gap; if the network has reordered packets lately, only after a delay that covers the reordering.
package struct JitterBuffer: Engine, Sendable {
    package struct Configuration: Sendable, Hashable {
        package var codec: VideoCodec
        /// The maximum time to wait for a missing packet, unless `leastRoundTrips` extends it (the specification's
        /// `BufferingThreshold`).
        package var longestWait: Duration = .milliseconds(200)
        /// Extends `longestWait` to at least this number of round trips, up to one second: a keyframe would take no
        /// less time.
        package var leastRoundTrips = 0
        /// The maximum number of packets from the oldest awaited to the newest, rounded up to a power of two.
        package var capacity = 2048
        /// The maximum size of all held packets and of the frame being assembled, in bytes.
        package var mostBytes = 16 * 1024 * 1024
        /// True if the source retransmits on request; otherwise the buffer waits only for reordered packets.
        package var hasRetransmission = true
        /// True if the source sends repair pictures on request, and marks them and the end of each frame.
        package var givesRepairs = false
        /// The time for which repairs are requested; after it, a keyframe is requested instead. At least five round
        /// trips.
        package var repairPatience: Duration = .seconds(1)
        /// True if slices are output before their frame is complete.
        package var handsOutParts = false
        /// True if parameter sets precede every keyframe; otherwise a keyframe may also begin with its first slice.
        package var keyframesHaveParameterSets = true
        /// The maximum number of requests for one packet.
        package var mostRequests = 10
        /// The number of requests for a packet whose responses are awaited before its frame is dropped.
        package var waitedRequests = 8
        /// The largest gap in packets that is repaired; a larger one is skipped.
        package var largestGap = 512
        /// The minimum time between two requests for a keyframe, to which the round-trip time is added.
        package var keyframeSpacing: Duration = .milliseconds(100)
        /// The minimum time between two requests for a repair picture, to which five quarters of the round-trip time
        /// are added.
        package var repairSpacing: Duration = .milliseconds(40)
        /// The time to wait, after the first packet, for a keyframe before one is requested.
        package var startPatience: Duration = .milliseconds(30)

        package init(codec: VideoCodec) {
            self.codec = codec
        }
    }

    package enum Input: Sendable {
        case packet(MediaPacket)
        /// All packets up to this one were sent: those that have not arrived are missing.
        case sent(through: ExtendedSequence)
        /// Packets from this number on are requested only after `patience`, as parity may still restore them; no more
        /// parity will arrive for earlier packets.
        case awaitParity(from: ExtendedSequence, patience: Duration)
        /// A newly measured round-trip time to the source.
        case roundTrip(Duration)
        /// The decoder could not use a frame.
        case decoderFailed
    }

    package enum Output: Sendable {
        /// A part of the next frame, which may still be abandoned.
        case part(ReceivedPart)
        case frame(ReceivedFrame)
        /// Request the retransmission of these packets, in ascending order.
        case nack([ExtendedSequence])
        case needKeyframe(KeyframeReason)
        /// Request a repair picture that follows the frame with this RTP timestamp.
        case needRepair(UInt32)
    }

    package enum KeyframeReason: String, Sendable, Hashable, CaseIterable {
        /// The first packets contained no keyframe.
        case start
        case packetsLost
        case malformed
        case overflow
        case decoderFailed
    }

    /// The reason why a packet is dropped.
    package enum Drop: String, CaseIterable, Sendable {
        case duplicate
        /// The packet's frame was dropped, or was already output.
        case late
        /// The packet is `capacity` or more packets behind the newest one.
        case tooOld
        /// The waiting packets exceeded `capacity` or `mostBytes`.
        case overflow
        /// The packet belongs to a frame that could not be completed.
        case abandoned
        /// The packet belongs to a frame whose references are missing.
        case awaitingKeyframe
        /// A complete keyframe or repair picture was received further ahead, or the codec changed.
        case superseded
        /// A missing packet that is no longer needed, as a repair picture after it was received.
        case overtaken
        case malformed
    }

    package internal(set) var statistics = ReceptionStatistics()
    package internal(set) var drops = DropCounter<Drop>()
    /// The number of frames output so far.
    package internal(set) var frames: UInt64 = 0
    /// The number of times that output stopped until the next keyframe or repair picture.
    package internal(set) var abandonments = 0

    var configuration: Configuration
    var keyframeStart: KeyframeStart
    var ring: PacketRing
    var assembly: FrameAssembly
    var outputs = Deque<Output>()

    /// True while frames are output; otherwise a keyframe or repair picture is awaited.
    var isFlowing = false
    /// The number of the next packet to consume while flowing; otherwise that of the first packet that may still be
    /// used.
    var base: UInt64 = 0
    var lowest: UInt64 = .max
    var highest: UInt64?
    var flowingSince = Instant.zero
    /// A keyframe or repair picture after a missing packet: the number of its first packet, the number of the first
    /// packet not checked yet for completeness, and the kind of picture.
    var ahead: (start: UInt64, scanned: UInt64, kind: Opening)?
    /// The RTP timestamp of the last frame output, if a repair picture may follow it.
    var lastWhole: UInt32?
    /// The time of the first repair request that is still unanswered.
    var repairsAsked: Instant?
    /// The number of repair pictures with which output resumed.
    package internal(set) var repairs = 0

    var roundTrip: Duration?
    /// The wait before a missing packet is requested, as it may only be reordered.
    var reorderTolerance = Duration.zero
    var lastReordered = Instant.zero
    var nextRequest: Instant?
    /// The number of the first packet whose parity may still arrive, and how long to wait for that parity.
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
            // A keyframe is already being assembled, so none is requested.
            if isFlowing, assembly.mustBeKeyframe { break }
            // No repair picture can follow a frame that the decoder could not use.
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

    /// The delay that the playout should add to show frames evenly: four times the present jitter, at most
    /// `longestWait`. The immediate policy ignores it.
    package var recommendedBuffer: Duration { min(statistics.jitterDuration * 4, configuration.longestWait) }

    /// Returns the numbers for the next receiver report, and begins a new interval.
    package mutating func makeReport() -> ReceptionReport { statistics.makeReport() }
}
