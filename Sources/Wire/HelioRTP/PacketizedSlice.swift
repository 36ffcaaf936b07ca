package import HelioCore

/// The RTP payloads of one slice, packetized once for any number of receivers: sequence numbers and header extensions,
/// which differ between receivers, come before the payload and are not part of it.
///
/// All payloads lie in one buffer that copies share, so a packet that is queued or stored for retransmission costs a
/// reference and no copy.
package struct PacketizedSlice: Sendable {
    /// The smallest supported limit of a payload's size, in bytes.
    package static let leastPayload = 32

    /// The limits of payload sizes, in bytes.
    package struct Limits: Sendable, Hashable {
        /// The limit of a frame's last payload, whose packet may have more header extensions.
        package let last: Int
        package let other: Int

        package init(last: Int, other: Int) {
            self.last = last
            self.other = other
        }
    }

    package struct Payload: Sendable, Hashable {
        /// The range of the payload in the slice's `bytes`.
        package let range: Range<Int>
        /// True for the last payload of its frame, whose packet has the marker.
        package let isLast: Bool

        package init(range: Range<Int>, isLast: Bool) {
            self.range = range
            self.isLast = isLast
        }
    }

    package let codec: VideoCodec
    package let frameIndex: UInt64
    package let isFirst: Bool
    package let isLast: Bool
    package let isKeyframe: Bool
    package let timing: FrameTiming
    /// The index of the first frame that can serve as a repair picture's reference; `nil` for other pictures.
    package let repairsSince: UInt64?
    /// The bytes of all payloads, one after another.
    package let bytes: [UInt8]
    /// The payloads in the order of sending; empty if the slice has no NAL unit that RTP can carry.
    package let payloads: [Payload]
    /// The limits used for packetizing.
    package let limits: Limits
    /// The length of the longest payload, in bytes.
    package let longest: Int
    private let longestLast: Int

    /// Packetizes a slice with one size limit for all payloads.
    package init(_ slice: EncodedSlice, codec: VideoCodec, largestPayload: Int) {
        self.init(slice, codec: codec, limits: Limits(last: largestPayload, other: largestPayload))
    }

    /// Packetizes a slice into payloads of at most `limits` bytes: RFC 6184 in packetization mode 1, RFC 7798 without
    /// DONL.
    ///
    /// A NAL unit that the payload format can't carry (without a whole header, or of a type that has another meaning in
    /// RTP) is left out. A last slice without a NAL unit has no payload, so its frame has no marker; encoders do not
    /// produce such slices.
    ///
    /// - Precondition: `limits` are at least ``leastPayload``, and fit into a datagram.
    package init(_ slice: EncodedSlice, codec: VideoCodec, limits: Limits) {
        let largestPayload = min(limits.last, limits.other)
        precondition(
            largestPayload >= Self.leastPayload && max(limits.last, limits.other) <= Int(UInt16.max),
            "no such size of payload")
        self.limits = limits
        self.codec = codec
        frameIndex = slice.frameIndex
        isFirst = slice.isFirst
        isLast = slice.isLast
        isKeyframe = slice.isKeyframe
        timing = slice.timing
        repairsSince = slice.repairsSince
        let source = slice.annexB.span.bytes
        var bytes: [UInt8] = []
        var payloads: [Payload] = []
        var longest = 0
        var longestLast = 0
        // The reserved capacity suffices: payload headers have at most 3 bytes, and the size field of an aggregated NAL
        // unit is shorter than its start code.
        let most = source.byteCount / (largestPayload - 4) + 2
        bytes.reserveCapacity(source.byteCount + most * 3)
        payloads.reserveCapacity(most)
        let cutter = PayloadCutter(codec: codec, capacity: limits.other, lastCapacity: limits.last)
        cutter.cut(source, endsFrame: slice.isLast) { cut in
            let start = bytes.count
            cut.write(source, codec: codec, into: &bytes)
            payloads.append(Payload(range: start..<bytes.count, isLast: cut.isLast))
            longest = max(longest, bytes.count - start)
            if cut.isLast { longestLast = bytes.count - start }
        }
        self.bytes = bytes
        self.payloads = payloads
        self.longest = longest
        self.longestLast = longestLast
    }

    /// Returns true if no payload exceeds the given limits.
    package func fits(_ other: Limits) -> Bool { longest <= other.other && longestLast <= other.last }
}
