package import HelioCore
package import HelioSDP

/// The session description for players (DESCRIBE) and for another program's server (ANNOUNCE): one plain RTP stream,
/// without the extensions and keys that they do not need.
///
///     m=video 0 RTP/AVP 96
///     a=rtpmap:96 H264/90000
///     a=fmtp:96 packetization-mode=1;profile-level-id=640028;sprop-parameter-sets=...
///     a=framerate:60
///     a=control:video
package enum PlayerDescription {
    package static let payloadType = PayloadType(96)
    /// The track's control URL, relative to the stream's URI.
    package static let trackName = "video"

    /// - Parameter feedback: the RTCP feedback that is taken beside reports.
    package static func make(
        _ format: VideoFormat, _ sets: ParameterSets, id: UInt64, feedback: [RTCPFeedback] = []
    ) -> [UInt8] {
        var video = AttributeList()
        video.append(RTPMap(payloadType, format.codec.encodingName, clockRate: 90_000))
        video.append(sets.formatParameters(for: payloadType))
        for kind in feedback { video.append(kind) }
        video.append(FrameRate(framesPerSecond: format.framesPerSecond))
        video.append(ControlURL(trackName))
        var session = AttributeList([Attribute("range", "npt=now-")])
        session.append(ControlURL("*"))
        var description = SessionDescription(
            origin: Origin(sessionID: id, host: ConnectionData(.ip4, "0.0.0.0")), name: "Heliograph",
            attributes: session,
            media: [
                MediaSection(
                    .video, port: 0, transport: "RTP/AVP", formats: ["\(payloadType.rawValue)"], attributes: video)
            ])
        description.connection = ConnectionData(.ip4, "0.0.0.0")
        return description.serialised()
    }
}
