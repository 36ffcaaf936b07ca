import HelioCore
package import HelioSDP

extension RTPCodec {
    /// H.264 in packetization mode 1, as produced by `PacketizedSlice`, with all feedback types that browsers support.
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

    /// The Opus codec (RFC 7587). SDP always has 48 kHz and two channels; `stereo` requests stereo and `sprop-stereo`
    /// announces it, as receivers decode mono otherwise.
    package static let opus = Self(
        .audio, "opus", clockRate: 48_000, channels: 2,
        parameters: [
            .init("minptime", "10"), .init("stereo", "1"), .init("sprop-stereo", "1"), .init("useinbandfec", "1"),
        ],
        feedback: [Feedback("transport-cc")])

    /// Redundant audio (RED, RFC 2198) with Opus, as implemented by libwebrtc. Its format parameters are the payload
    /// types of its blocks, so they are added when a description is written.
    package static let red = Self(.audio, "red", clockRate: 48_000, channels: 2)

    /// FlexFEC as implemented by libwebrtc, after a draft of RFC 8627; see `FlexFECHeader`. It carries no media, so it
    /// is never the codec of a stream. The mandatory repair window (section 5.1 of the draft) is libwebrtc's 10 s, in
    /// microseconds.
    package static let flexFEC = Self(
        .video, "flexfec-03", clockRate: 90_000, parameters: [.init("repair-window", "10000000")],
        feedback: [Feedback("goog-remb"), Feedback("transport-cc")])

    /// The default codecs, best first. 4:4:4 keeps coloured text sharp; every browser supports Constrained Baseline.
    /// Level 5.2 allows 4K at 60 frames/s.
    package static let standard: [Self] = {
        guard let level = H264Level(idc: 52) else { preconditionFailure("level 5.2 is a level") }
        return [
            .h264(.high444Predictive, level: level), .h264(.high, level: level), .h264(.main, level: level),
            .h264(.constrainedBaseline, level: level), .opus,
        ]
    }()
}
