package import HelioCore
import HelioRTP

/// Makes complete RTP packets of one video stream, for tests that need no sender.
package struct RTPPacketizer: Sendable {
    /// The smallest `maximumPacketSize`.
    package static let minimumPacketSize = 64

    private let codec: VideoCodec
    private let ssrc: SSRC
    private let payloadType: PayloadType
    package let maximumPacketSize: Int
    private let timingExtensionID: UInt8?
    /// The sequence number of the next packet.
    package private(set) var nextSequence: ExtendedSequence

    /// - Parameters:
    ///   - maximumPacketSize: the maximum size of header, extension and payload in bytes, without SRTP's trailer.
    ///   - timingExtensionID: the ID of `FrameTimingExtension`, 1 to 14; `nil` if the sink does not support it.
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

    /// Emits the packets of one slice in order, each with its header's length. The last packet of a frame's last slice
    /// has the marker bit and the frame's timing.
    ///
    /// - Parameter reserve: the number of bytes to reserve in each packet's array for a trailer.
    package mutating func packetize(
        _ slice: EncodedSlice, timestamp: UInt32, sent: Instant, reserve: Int,
        emit: (ExtendedSequence, consuming [UInt8], _ headerLength: Int) -> Void
    ) {
        let cut = PacketizedSlice(
            slice, codec: codec,
            limits: .init(
                last: maximumPacketSize - headerLength(isFinal: true),
                other: maximumPacketSize - headerLength(isFinal: false)))
        for payload in cut.payloads {
            let header = RTPHeader(
                marker: payload.isLast, payloadType: payloadType, sequence: nextSequence.wire, timestamp: timestamp,
                ssrc: ssrc)
            let length = headerLength(isFinal: payload.isLast)
            var packet: [UInt8] = []
            packet.reserveCapacity(length + payload.range.count + reserve)
            header.write(into: &packet, hasExtension: payload.isLast && timingExtensionID != nil)
            if payload.isLast, let timingExtensionID {
                FrameTimingExtension(timing: slice.timing, sent: sent)
                    .writeExtension(id: timingExtensionID, into: &packet)
            }
            packet.append(contentsOf: cut.bytes[payload.range])
            emit(nextSequence, packet, length)
            nextSequence = nextSequence.advanced(by: 1)
        }
    }

    private func headerLength(isFinal: Bool) -> Int {
        RTPHeader.fixedSize + (isFinal && timingExtensionID != nil ? FrameTimingExtension.extensionSize : 0)
    }
}
