import HelioCore
package import HelioSDP

extension RTPCodec {
    /// The codec that Heliograph's packetizer produces: H.264 in packetization mode 1, with every kind of feedback that
    /// browsers support.
    package static func h264(_ profile: H264Profile, level: H264Level) -> Self {
        Self(
            .video, "H264", clockRate: 90_000,
            parameters: H264FormatParameters(H264ProfileLevel(profile, level)).parameters,
            feedback: [
                Feedback("goog-remb"), Feedback("transport-cc"), Feedback("ccm", "fir"), Feedback("nack"),
                Feedback("nack", "pli"),
            ],
            isRetransmitted: true)
    }

    /// The Opus codec (RFC 7587). Stereo is requested with `stereo` and announced with `sprop-stereo`, as receivers
    /// decode one channel otherwise; the rate is always 48 kHz and the channels always two.
    package static let opus = Self(
        .audio, "opus", clockRate: 48_000, channels: 2,
        parameters: [
            .init("minptime", "10"), .init("stereo", "1"), .init("sprop-stereo", "1"), .init("useinbandfec", "1"),
        ],
        feedback: [Feedback("transport-cc")])

    /// Opus that repeats earlier packets (RFC 2198), as libwebrtc has it. Its parameters are the payload types of its
    /// blocks, known only when a description is written.
    package static let red = Self(.audio, "red", clockRate: 48_000, channels: 2)

    /// FlexFEC as libwebrtc has it, of a draft of RFC 8627; see `FlexFECHeader`. It carries no media, so it is never
    /// chosen as a stream's codec. The repair window is mandatory, in microseconds (section 5.1 of the draft):
    /// libwebrtc's 10 s.
    package static let flexFEC = Self(
        .video, "flexfec-03", clockRate: 90_000, parameters: [.init("repair-window", "10000000")],
        feedback: [Feedback("goog-remb"), Feedback("transport-cc")])

    /// The default codecs, best first: coloured text stays sharp in 4:4:4, and every browser has Constrained Baseline.
    /// Level 5.2 is 4K at 60 frames a second.
    package static let standard: [Self] = {
        guard let level = H264Level(idc: 52) else { preconditionFailure("level 5.2 is a level") }
        return [
            .h264(.high444Predictive, level: level), .h264(.high, level: level), .h264(.main, level: level),
            .h264(.constrainedBaseline, level: level), .opus,
        ]
    }()
}
