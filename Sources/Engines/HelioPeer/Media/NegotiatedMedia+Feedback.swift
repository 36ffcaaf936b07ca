import HelioCore
import HelioRTP
import HelioSDP

extension NegotiatedMedia {
    /// True if transport-wide feedback is negotiated: packets are numbered across all streams, and the receiver reports
    /// their arrival times.
    var isTransportWide: Bool {
        headerExtension(TransportSequence.uri) != nil && codecs.contains { $0.has("transport-cc") }
    }
}

extension NegotiatedCodec {
    func has(_ kind: String, _ parameter: String? = nil) -> Bool {
        feedback.contains(RTPCodec.Feedback(kind, parameter))
    }

    /// The codec for the packetizer and the jitter buffer; `nil` for audio, and for codecs that are not depacketized.
    var video: VideoCodec? {
        guard codec.kind == .video else { return nil }
        return VideoCodec.allCases.first { $0.encodingName.lowercased() == codec.encoding.lowercased() }
    }

    /// True if the peer accepts fragmented NAL units, as the packetizer makes them; H.264 in packetization mode 0
    /// excludes them (RFC 6184 section 6.2).
    var takesFragments: Bool { h264.map { $0.packetizationMode == 1 } ?? true }
}
