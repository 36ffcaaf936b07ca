import HelioBitstream
package import HelioCore
package import HelioMedia
package import HelioRTP
package import HelioSDP

/// The SDP of the stream for players (response to DESCRIBE) and for another program's server (ANNOUNCE), with
/// unencrypted RTP and without header extensions.
///
///     m=video 0 RTP/AVP 96
///     a=rtpmap:96 H264/90000
///     a=fmtp:96 packetization-mode=1;profile-level-id=640028;sprop-parameter-sets=...
///     a=framerate:60
///     a=control:video
///     m=audio 0 RTP/AVP 97
///     a=rtpmap:97 mpeg4-generic/48000/2
///     a=fmtp:97 streamtype=5;...;config=1190
///     a=control:audio
package enum PlayerDescription {
    package static let payloadType = PayloadType(96)
    package static let soundType = PayloadType(97)

    /// Returns the control URL of a track, relative to the URI of the stream.
    package static func name(of track: PlainTrack) -> String {
        switch track {
        case .video: "video"
        case .sound: "audio"
        }
    }

    /// - Parameters:
    ///   - sound: the encoder settings of the audio; `nil` without audio.
    ///   - feedback: the RTCP feedback messages that are accepted.
    package static func make(
        _ format: VideoFormat, _ sets: ParameterSets, sound: SoundEncode? = nil, id: UInt64,
        feedback: [RTCPFeedback] = []
    ) -> [UInt8] {
        var video = AttributeList()
        video.append(RTPMap(payloadType, format.codec.encodingName, clockRate: 90_000))
        video.append(sets.formatParameters(for: payloadType))
        for kind in feedback { video.append(kind) }
        video.append(FrameRate(framesPerSecond: format.framesPerSecond))
        video.append(ControlURL(name(of: .video)))
        var session = AttributeList([Attribute("range", "npt=now-")])
        session.append(ControlURL("*"))
        var media = [
            MediaSection(
                .video, port: 0, transport: "RTP/AVP", formats: ["\(payloadType.rawValue)"], attributes: video)
        ]
        if let sound { media.append(section(of: sound)) }
        var description = SessionDescription(
            origin: Origin(sessionID: id, host: ConnectionData(.ip4, "0.0.0.0")), name: "Heliograph",
            attributes: session, media: media)
        description.connection = ConnectionData(.ip4, "0.0.0.0")
        return description.serialised()
    }

    private static func section(of sound: SoundEncode) -> MediaSection {
        var attributes = AttributeList()
        let encoding: SoundDescription.Encoding =
            switch sound.codec {
            case .aac: .aac(MPEG4FormatParameters(configuration: AudioSpecificConfig(.standard).bytes))
            case .opus: .opus(OpusFormatParameters(sendsStereo: true))
            case .pcm: .linear16
            }
        SoundDescription(
            soundType, clockRate: SoundFormat.standard.sampleRate, channels: SoundFormat.standard.channels, encoding
        ).write(into: &attributes)
        if sound.codec != .aac { attributes.append(PacketTime(sound.packetDuration)) }
        attributes.append(ControlURL(name(of: .sound)))
        return MediaSection(
            .audio, port: 0, transport: "RTP/AVP", formats: ["\(soundType.rawValue)"], attributes: attributes)
    }
}
