package import HelioCore
import HelioRTP

extension RTPPacketizer {
    /// Makes a packetizer like that of a third-party program: payload type 97, no header extension.
    package static func plain(
        _ codec: VideoCodec = .h264, ssrc: UInt32 = 7, firstSequence: UInt16
    ) -> RTPPacketizer {
        RTPPacketizer(
            codec: codec, ssrc: SSRC(ssrc), payloadType: PayloadType(97),
            firstSequence: ExtendedSequence(UInt64(firstSequence)), maximumPacketSize: 1200, timingExtensionID: nil)
    }
}
