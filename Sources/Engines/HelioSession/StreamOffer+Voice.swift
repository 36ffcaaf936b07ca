import HelioCore
import HelioProtection
import HelioSDP

/// The section by which a host offers to hear a viewer, whose microphone then comes as sound of its own: under the
/// viewer's SSRC, as its reports do, and under a key that the viewer gives in SETUP.
///
///     m=audio 0 RTP/SAVPF 101 103
///     a=rtpmap:101 opus/48000/2
///     a=rtpmap:103 red/48000/2        (RFC 2198: of Opus, and of packets right before)
///     a=fmtp:103 101/101
///     a=recvonly, a=rtcp-mux
///     a=control:voice
enum VoiceOffer {
    /// The last part of the URL that SETUP names.
    static let path = "voice"
    /// The codecs in which a voice comes.
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

    /// Returns whether a section offers it.
    static func isMade(by section: MediaSection) -> Bool {
        section.kind == .audio && section.attributes.first(ControlURL.self)?.url == path
            && section.formats.contains("\(StreamOffer.payloadType(.opus).rawValue)")
    }

    /// A viewer's voice as the host receives it.
    static func sound(_ key: SRTPMasterKey) -> StreamOffer.Sound {
        StreamOffer.Sound(.microphone, codecs: codecs, key: key)
    }
}
