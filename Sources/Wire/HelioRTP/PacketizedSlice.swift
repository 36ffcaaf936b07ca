package import HelioCore

/// The RTP payloads of one slice, cut once for any number of receivers: what differs between those, numbers and header
/// extensions, stands before the payload.
///
/// All payloads lie in one buffer that copies share, so a packet that waits or is kept for retransmission costs a
/// reference and no bytes.
package struct PacketizedSlice: Sendable {
    /// The smallest limit of a payload: none can be cut smaller.
    package static let leastPayload = 32

    /// The limits of payload sizes, in bytes.
    package struct Limits: Sendable, Hashable {
        /// The limit of a frame's last payload, whose packet may have more to tell in its header.
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
        /// True for the last payload of its frame: its packet carries the marker.
        package let isLast: Bool
    }

    package let codec: VideoCodec
    package let frameIndex: UInt64
    package let isFirst: Bool
    package let isLast: Bool
    package let isKeyframe: Bool
    package let timing: FrameTiming
    /// See `EncodedSlice.repairsSince`.
    package let repairsSince: UInt64?
    /// The bytes of all payloads, one after another.
    package let bytes: [UInt8]
    /// The payloads in the order of sending; empty if the slice holds nothing that RTP can carry.
    package let payloads: [Payload]
    /// The limits that it was cut by.
    package let limits: Limits
    /// The length of the longest payload, in bytes.
    package let longest: Int
    private let longestLast: Int

    /// Cuts into payloads of one size for all.
    package init(_ slice: EncodedSlice, codec: VideoCodec, largestPayload: Int) {
        self.init(slice, codec: codec, limits: Limits(last: largestPayload, other: largestPayload))
    }

    /// Cuts into payloads of at most `limits` bytes: RFC 6184 in packetization mode 1, RFC 7798 without DONL.
    ///
    /// A NAL unit that the payload format has no way to carry (no whole header, a type that means something else in
    /// RTP) is left out. A last slice without a NAL unit has no payload, so the frame no marker: encoders don't give
    /// such.
    ///
    /// - Precondition: `limits` are at least ``leastPayload``, and fit a datagram.
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
        // Payload headers are at most 3 bytes, and a NAL unit's size is shorter than its start code.
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

    /// Returns true if no payload is larger than these limits.
    package func fits(_ other: Limits) -> Bool { longest <= other.other && longestLast <= other.last }
}
