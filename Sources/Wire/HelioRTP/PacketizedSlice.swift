package import HelioCore

/// The RTP payloads of one slice, cut once for any number of receivers: what differs between those, numbers and header
/// extensions, stands before the payload.
///
/// All payloads lie in one buffer that copies share, so a packet that waits or is kept to be sent again costs a
/// reference and no bytes.
package struct PacketizedSlice: Sendable {
    /// No payload can be cut smaller.
    package static let leastPayload = 32

    package struct Payload: Sendable, Hashable {
        /// Where it lies in the slice's `bytes`.
        package let range: Range<Int>
        /// The last of its frame: its packet carries the marker.
        package let isLast: Bool
    }

    package let codec: VideoCodec
    package let frameIndex: UInt64
    package let isFirst: Bool
    package let isLast: Bool
    package let isKeyframe: Bool
    package let timing: FrameTiming
    /// All payloads, one after another.
    package let bytes: [UInt8]
    /// In the order of sending; empty where the slice holds nothing that RTP can carry.
    package let payloads: [Payload]
    /// Of the longest payload.
    package let longest: Int

    /// Cuts into payloads of at most `largestPayload` bytes: RFC 6184 in packetization mode 1, RFC 7798 without DONL.
    ///
    /// - Precondition: `largestPayload` is at least ``leastPayload``, and fits a datagram.
    package init(_ slice: EncodedSlice, codec: VideoCodec, largestPayload: Int) {
        precondition((Self.leastPayload...Int(UInt16.max)).contains(largestPayload), "no such size of payload")
        self.codec = codec
        frameIndex = slice.frameIndex
        isFirst = slice.isFirst
        isLast = slice.isLast
        isKeyframe = slice.isKeyframe
        timing = slice.timing
        let source = slice.annexB.span.bytes
        var bytes: [UInt8] = []
        var payloads: [Payload] = []
        var longest = 0
        // Payload headers are at most 3 bytes, and a NAL unit's size is shorter than its start code.
        let most = source.byteCount / (largestPayload - 4) + 2
        bytes.reserveCapacity(source.byteCount + most * 3)
        payloads.reserveCapacity(most)
        let cutter = PayloadCutter(codec: codec, capacity: largestPayload, lastCapacity: largestPayload)
        cutter.cut(source, endsFrame: slice.isLast) { cut in
            let start = bytes.count
            cut.write(source, codec: codec, into: &bytes)
            payloads.append(Payload(range: start..<bytes.count, isLast: cut.isLast))
            longest = max(longest, bytes.count - start)
        }
        self.bytes = bytes
        self.payloads = payloads
        self.longest = longest
    }
}
