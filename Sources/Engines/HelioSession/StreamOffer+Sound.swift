package import HelioCore
package import HelioProtection
import HelioRTP
import HelioSDP

extension StreamOffer {
    /// The offer of the system's sound or of the microphone's: an SDP media section of its own, with a key of its own.
    ///
    ///     m=audio 0 RTP/SAVPF 101 102 103
    ///     a=rtpmap:101 opus/48000/2
    ///     a=rtpmap:102 L16/48000/2
    ///     a=rtpmap:103 red/48000/2        (RFC 2198: Opus, with earlier packets repeated)
    ///     a=fmtp:103 101/101
    ///     a=rtcp-fb:* transport-cc
    ///     a=rtcp-mux, a=extmap
    ///     a=crypto:1 AEAD_AES_128_GCM inline:...
    ///     a=control:audio                 (audio-microphone: the microphone's)
    package struct Sound: Sendable {
        package var origin: SoundOrigin
        /// The codecs of the sound's packets: PCM, Opus or both.
        package var codecs: [SoundCodec]
        package var key: SRTPMasterKey

        package init(_ origin: SoundOrigin, codecs: [SoundCodec], key: SRTPMasterKey) {
            self.origin = origin
            self.codecs = codecs
            self.key = key
        }

        /// The last path component of the URL in SETUP.
        var path: String { Self.path(origin) }

        fileprivate static func path(_ origin: SoundOrigin) -> String {
            switch origin {
            case .system: "audio"
            case .microphone: "audio-microphone"
            }
        }

        /// The identity of this sound's key among the sent keys that a suite masks.
        var sentKey: AgreedSuite.SentKey {
            switch origin {
            case .system: .hostSound
            case .microphone: .hostMicrophone
            }
        }

        var section: MediaSection {
            var attributes = AttributeList()
            let types = describe(codecs, in: &attributes)
            for type in types { attributes.append(RTCPFeedback(type, "transport-cc")) }
            attributes.append(RTCPMux())
            attributes.append(ExtensionMap(transportSequenceID, TransportSequence.uri))
            attributes.append(KeyAttribute.media(key))
            attributes.append(ControlURL(path))
            return MediaSection(
                .audio, port: 0, transport: "RTP/SAVPF", formats: types.map { "\($0.rawValue)" }, attributes: attributes
            )
        }

        /// Parses an SDP media section; `nil` if it offers no sound of a known origin and codec.
        init?(_ section: MediaSection) {
            guard section.kind == .audio, let url = section.attributes.first(ControlURL.self)?.url,
                let origin = SoundOrigin.allCases.first(where: { Self.path($0) == url }),
                let key = KeyAttribute.mediaKey(section.attributes)
            else { return nil }
            let codecs = section.formats.compactMap { UInt8($0) }.compactMap { soundCodec(PayloadType($0)) }
            self.init(origin, codecs: SoundCodec.allCases.filter(codecs.contains), key: key)
            if codecs.isEmpty { return nil }
        }
    }

    /// Appends the `rtpmap` and `fmtp` attributes of these codecs and, if Opus is among them, of Opus with redundancy.
    ///
    /// - Returns: the payload types of the attributes.
    static func describe(_ codecs: [SoundCodec], in attributes: inout AttributeList) -> [PayloadType] {
        var types: [PayloadType] = []
        for codec in codecs {
            let type = payloadType(codec)
            types.append(type)
            attributes.append(RTPMap(type, codec == .pcm ? "L16" : "opus", clockRate: 48_000, channels: 2))
        }
        if codecs.contains(.opus) {
            let opus = payloadType(.opus)
            types.append(redundancyType)
            attributes.append(RTPMap(redundancyType, "red", clockRate: 48_000, channels: 2))
            attributes.append(FormatParameters(redundancyType, [.init("\(opus.rawValue)/\(opus.rawValue)")]))
        }
        return types
    }

    /// The payload type of an audio codec; distinct from those of video.
    package static func payloadType(_ codec: SoundCodec) -> PayloadType { PayloadType(codec == .pcm ? 102 : 101) }
    /// The payload type of Opus with redundancy (RFC 2198).
    package static let redundancyType = PayloadType(103)
    package static func soundCodec(_ type: PayloadType) -> SoundCodec? {
        [.opus, .pcm].first { payloadType($0) == type }
    }
}
