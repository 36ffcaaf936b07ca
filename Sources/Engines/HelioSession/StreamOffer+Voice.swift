import HelioCore
import HelioProtection
import HelioSDP

/// The SDP media section by which a host offers to accept a viewer's voice, which is then sent as a sound of its own:
/// with the viewer's SSRC, like its reports, and with a key that the viewer gives in SETUP.
///
///     m=audio 0 RTP/SAVPF 101 103
///     a=rtpmap:101 opus/48000/2
///     a=rtpmap:103 red/48000/2        (RFC 2198: Opus, with earlier packets repeated)
///     a=fmtp:103 101/101
///     a=recvonly, a=rtcp-mux
///     a=control:voice
enum VoiceOffer {
    /// The last path component of the URL in SETUP.
    static let path = "voice"
    /// The codecs that a viewer's voice can be encoded in.
    static let codecs: [SoundCodec] = [.opus]

    static var section: MediaSection {
        var attributes = AttributeList()
        let types = StreamOffer.describe(codecs, in: &attributes)
        attributes.append(.recvonly)
        attributes.append(RTCPMux())
        attributes.append(ControlURL(path))
        return MediaSection(
            .audio, port: 0, transport: "RTP/SAVPF", formats: types.map { "\($0.rawValue)" },
            attributes: attributes)
    }

    /// Returns whether an SDP media section offers a viewer's voice: audio, with this control URL and Opus.
    static func isMade(by section: MediaSection) -> Bool {
        section.kind == .audio && section.attributes.first(ControlURL.self)?.url == path
            && section.formats.contains("\(StreamOffer.payloadType(.opus).rawValue)")
    }

    /// A viewer's voice, as a sound that the host receives.
    static func sound(_ key: SRTPMasterKey) -> StreamOffer.Sound {
        StreamOffer.Sound(.microphone, codecs: codecs, key: key)
    }
}
