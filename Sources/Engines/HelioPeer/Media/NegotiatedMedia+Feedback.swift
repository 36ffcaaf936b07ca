import HelioCore
import HelioRTP
import HelioSDP

extension NegotiatedMedia {
    /// True for transport-wide feedback: packets are numbered across all streams, and the receiver reports their
    /// arrivals.
    var isTransportWide: Bool {
        headerExtension(TransportSequence.uri) != nil && codecs.contains { $0.has("transport-cc") }
    }
}

extension NegotiatedCodec {
    func has(_ kind: String, _ parameter: String? = nil) -> Bool {
        feedback.contains(RTPCodec.Feedback(kind, parameter))
    }

    /// The codec as the packetizer and the jitter buffer know it; `nil` for audio and for codecs that only pass
    /// through.
    var video: VideoCodec? {
        guard codec.kind == .video else { return nil }
        return VideoCodec.allCases.first { $0.encodingName.lowercased() == codec.encoding.lowercased() }
    }

    /// True if the peer accepts fragmented NAL units, which the packetizer makes: in packetization mode 0 it doesn't
    /// (RFC 6184 section 6.2).
    var takesFragments: Bool { h264.map { $0.packetizationMode == 1 } ?? true }
}
