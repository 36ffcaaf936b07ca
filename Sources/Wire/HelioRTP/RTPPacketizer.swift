package import HelioCore

/// Makes the RTP packets of one video stream for one receiver: RFC 6184 in packetization mode 1, RFC 7798 without DONL.
/// Where many get the same stream, ``PacketizedSlice`` cuts it once.
///
/// Each packet is one array, made once: header, payload, and room for what protection appends.
package struct RTPPacketizer: Sendable {
    /// The smallest `maximumPacketSize`.
    package static let minimumPacketSize = 64

    private let codec: VideoCodec
    private let ssrc: SSRC
    private let payloadType: PayloadType
    package let maximumPacketSize: Int
    private let timingExtensionID: UInt8?
    /// Of the packet that comes next.
    package private(set) var nextSequence: ExtendedSequence

    /// Makes packets of at most `maximumPacketSize` bytes of header, extension and payload, without what
    /// protection appends. `timingExtensionID` is 1 to 14 where the sink understands `FrameTimingExtension`.
    package init(
        codec: VideoCodec, ssrc: SSRC, payloadType: PayloadType, firstSequence: ExtendedSequence,
        maximumPacketSize: Int, timingExtensionID: UInt8?
    ) {
        precondition(
            (Self.minimumPacketSize...Int(UInt16.max)).contains(maximumPacketSize), "no such size of packet")
        self.codec = codec
        self.ssrc = ssrc
        self.payloadType = payloadType
        self.maximumPacketSize = maximumPacketSize
        self.timingExtensionID = timingExtensionID
        nextSequence = firstSequence
    }

    /// Emits the packets of one slice in order; the last packet of a frame's last slice carries the marker
    /// and the frame's times.
    ///
    /// A NAL unit that the payload format has no way to carry (no whole header, a type that means something
    /// else in RTP) is left out. A last slice without a NAL unit emits nothing, so the frame has no marker:
    /// encoders don't give such slices.
    ///
    /// `timestamp` is in 90 kHz and the same for all slices of a frame (row 11). `sent` is when the packets go
    /// to the socket, on the clock of `slice.timing`. `reserve` bytes can be appended to each packet without
    /// allocating: an SRTP tag. `emit` gets each packet and how many of its bytes are header.
    package mutating func packetize(
        _ slice: EncodedSlice, timestamp: UInt32, sent: Instant, reserve: Int,
        emit: (ExtendedSequence, consuming [UInt8], _ headerLength: Int) -> Void
    ) {
        let bytes = slice.annexB.span.bytes
        let timing = FrameTimingExtension(timing: slice.timing, sent: sent)
        let cutter = PayloadCutter(
            codec: codec, capacity: maximumPacketSize - headerLength(isFinal: false),
            lastCapacity: maximumPacketSize - headerLength(isFinal: true))
        cutter.cut(bytes, endsFrame: slice.isLast) { cut in
            var packet = makePacket(
                timestamp: timestamp, timing: cut.isLast ? timing : nil, room: cut.size + reserve)
            let headerLength = packet.count
            cut.write(bytes, codec: codec, into: &packet)
            let sequence = nextSequence
            nextSequence = nextSequence.advanced(by: 1)
            emit(sequence, consume packet, headerLength)
        }
    }

    private func headerLength(isFinal: Bool) -> Int {
        RTPHeader.fixedSize + (isFinal && timingExtensionID != nil ? FrameTimingExtension.extensionSize : 0)
    }

    /// A packet with its header, and room for the payload and for protection. `timing` is the frame's where the packet is
    /// its last.
    private func makePacket(timestamp: UInt32, timing: FrameTimingExtension?, room: Int) -> [UInt8] {
        let isFinal = timing != nil
        let header = RTPHeader(
            marker: isFinal, payloadType: payloadType, sequence: nextSequence.wire, timestamp: timestamp, ssrc: ssrc)
        var packet: [UInt8] = []
        packet.reserveCapacity(headerLength(isFinal: isFinal) + room)
        header.write(into: &packet, hasExtension: isFinal && timingExtensionID != nil)
        if let timing, let timingExtensionID { timing.writeExtension(id: timingExtensionID, into: &packet) }
        return packet
    }
}
