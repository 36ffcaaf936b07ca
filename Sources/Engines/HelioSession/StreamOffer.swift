package import HelioCore
package import HelioProtection
import HelioRTP
package import HelioSDP

/// The host's offer to one viewer, as the SDP of its DESCRIBE response: the video stream, the control channel, sound
/// if the host shares it and the viewer accepts it (``Sound``), and the host's keys for each (RFC 4568: a key
/// belongs to the end that sends with it).
///
///     m=video 0 RTP/SAVPF 96 98 97 99 100       m=application 0 UDP/HELIOGRAPH control
///     a=rtpmap:96 H264/90000                    a=crypto:1 AEAD_AES_128_GCM inline:...
///     a=fmtp:96 packetization-mode=1            a=control:control
///     a=rtpmap:97 H265/90000
///     a=rtpmap:98 rtx/90000                     (RFC 4588; 99 for H.265)
///     a=fmtp:98 apt=96
///     a=rtpmap:100 parity/90000                 (ParityHeader; for both codecs)
///     a=rtcp-fb:* nack  (and pli, rpsi, fir, transport-cc)
///     a=rtcp-mux, a=extmap, a=framerate, a=heliograph-terms
///     a=crypto:1 AEAD_AES_128_GCM inline:...
///     a=control:video
///
/// The first payload type is that of the codec encoded now; the stream may change to the other codec without a new
/// session.
package struct StreamOffer: Sendable {
    package static let timingExtension = "urn:heliograph:frame-timing"
    package static let controlTransport = "UDP/HELIOGRAPH"
    /// The `Transport` protocol of the control channel inside the signalling connection.
    static let controlTransportInside = "TCP/HELIOGRAPH"
    /// The `Transport` protocol of the transfer channel, which exists only inside the signalling connection.
    static let transferTransport = "TCP/HELIOGRAPH-TRANSFER"
    package static let profile = SRTPProfile.aeadAes128Gcm
    /// The payload type of a codec; each codec has its own, so that every packet identifies its codec.
    package static func payloadType(_ codec: VideoCodec) -> PayloadType { PayloadType(codec == .h264 ? 96 : 97) }
    /// The payload type of a codec's retransmissions (RTX, RFC 4588).
    package static func retransmissionType(_ codec: VideoCodec) -> PayloadType {
        PayloadType(codec == .h264 ? 98 : 99)
    }
    /// The payload type of parity, from which lost packets are restored.
    package static let parityType = PayloadType(100)
    package static func codec(_ type: PayloadType) -> VideoCodec? {
        VideoCodec.allCases.first { payloadType($0) == type }
    }
    package static let timingExtensionID: UInt8 = 1
    package static let transportSequenceID: UInt8 = 2
    /// The ID of the header extension element that marks repair pictures.
    package static let repairID: UInt8 = 3
    /// The numbers of the stream (frame rate, bitrate, profile, level) that are sent to the viewer.
    var terms: StreamTerms { StreamTerms(format, coded: coded, codedFramesPerSecond: codedFramesPerSecond) }
    /// The maximum bitrate that is assumed if the host's offer has none.
    private static let untold = Bitrate.megabits(100)

    /// The host's human-readable name; `nil` if it has none.
    package var hostName: String?
    /// The session's name in the offer of a host without a name.
    private static let nameless = "Heliograph"

    package var format: VideoFormat
    /// The bitrate that is encoded now: that of the slowest viewer's path.
    package var coded: Bitrate
    /// The frame rate limit that is encoded now.
    package var codedFramesPerSecond: Int
    package var mediaKey: SRTPMasterKey
    package var controlKey: SealedKey
    /// The offered sounds, at most one for each origin.
    package var sounds: [Sound] = []
    /// True if this viewer may drive the machine.
    package var allowsControl: Bool
    /// True if this viewer's voice is accepted (`VoiceOffer`).
    package var takesVoice = false

    /// - Parameters:
    ///   - coded: the bitrate encoded now; `nil`: the format's.
    ///   - codedFramesPerSecond: the frame rate limit encoded now; `nil`: the format's.
    package init(
        format: VideoFormat, coded: Bitrate? = nil, codedFramesPerSecond: Int? = nil, mediaKey: SRTPMasterKey,
        controlKey: SealedKey, allowsControl: Bool
    ) {
        self.format = format
        self.coded = coded ?? format.bitrate
        self.codedFramesPerSecond = codedFramesPerSecond ?? format.framesPerSecond
        self.mediaKey = mediaKey
        self.controlKey = controlKey
        self.allowsControl = allowsControl
    }

    /// The offer as sent: with its keys masked by a suite, if one was agreed on. Masking is its own inverse.
    func masked(by suite: AgreedSuite?, crypto: any CryptoProvider) throws(CryptoError) -> StreamOffer {
        guard let suite else { return self }
        var offer = self
        offer.mediaKey = try suite.mask(mediaKey, .hostVideo, crypto: crypto)
        offer.controlKey = try suite.mask(controlKey, .hostControl, crypto: crypto)
        for (index, sound) in sounds.enumerated() {
            offer.sounds[index].key = try suite.mask(sound.key, sound.sentKey, crypto: crypto)
        }
        return offer
    }

    package func sessionDescription(id: UInt64) -> SessionDescription {
        let codecs = [format.codec] + VideoCodec.allCases.filter { $0 != format.codec }
        var video = AttributeList()
        for codec in codecs {
            let type = Self.payloadType(codec)
            video.append(RTPMap(type, codec.encodingName, clockRate: 90_000))
            if codec == .h264 { video.append(FormatParameters(type, [.init("packetization-mode", "1")])) }
            video.append(RTCPFeedback(type, "nack"))
            video.append(RTCPFeedback(type, "nack", "pli"))
            video.append(RTCPFeedback(type, "nack", "rpsi"))
            video.append(RTCPFeedback(type, "ccm", "fir"))
            video.append(RTCPFeedback(type, "transport-cc"))
            let again = Self.retransmissionType(codec)
            video.append(RTPMap(again, "rtx", clockRate: 90_000))
            video.append(FormatParameters(again, [.init("apt", "\(type.rawValue)")]))
        }
        video.append(RTPMap(Self.parityType, "parity", clockRate: 90_000))
        video.append(RTCPMux())
        video.append(ExtensionMap(Self.timingExtensionID, Self.timingExtension))
        video.append(ExtensionMap(Self.transportSequenceID, TransportSequence.uri))
        video.append(ExtensionMap(Self.repairID, RepairExtension.uri))
        video.append(FrameRate(framesPerSecond: format.framesPerSecond))
        video.append(terms)
        video.append(PictureShape(size: format.size, chroma: format.chroma))
        video.append(KeyAttribute.media(mediaKey))
        video.append(ControlURL("video"))
        var control = AttributeList()
        control.append(KeyAttribute.control(controlKey))
        control.append(ControlURL("control"))
        control.append(ControlPermission(allowsControl: allowsControl))
        return SessionDescription(
            origin: Origin(sessionID: id, host: ConnectionData(.ip4, "0.0.0.0")), name: hostName ?? Self.nameless,
            attributes: AttributeList([]),
            media: [
                MediaSection(
                    .video, port: 0, transport: "RTP/SAVPF",
                    formats: (codecs.flatMap { [Self.payloadType($0), Self.retransmissionType($0)] }
                        + [Self.parityType]).map { "\($0.rawValue)" },
                    attributes: video),
                MediaSection(
                    .application, port: 0, transport: Self.controlTransport, formats: ["control"],
                    attributes: control),
            ] + sounds.map(\.section) + (takesVoice ? [VoiceOffer.section] : []))
    }

    /// Parses a host's offer; `nil` if something that a viewer needs is missing or unknown.
    package init?(_ description: SessionDescription) {
        guard let video = description.media.first(where: { $0.kind == .video }),
            let control = description.media.first(where: { $0.transport == Self.controlTransport }),
            let first = video.formats.first.flatMap({ UInt8($0) }).map({ PayloadType($0) }),
            let map = video.attributes.rtpMap(for: first), map.clockRate == 90_000,
            let codec = Self.codec(first), codec.encodingName == map.encoding.uppercased(),
            let mediaKey = KeyAttribute.mediaKey(video.attributes),
            let controlKey = KeyAttribute.controlKey(control.attributes)
        else { return nil }
        let shape: PictureShape? = video.attributes.first(PictureShape.self)
        let name = DeviceName.clean(description.name, fallback: Self.nameless)
        hostName = [Self.nameless, "-"].contains(name) ? nil : name
        format = VideoFormat(
            codec: codec, size: shape?.size ?? PixelSize(width: 0, height: 0),
            framesPerSecond: video.attributes.first(FrameRate.self)?.framesPerSecond ?? 60,
            bitrate: Self.untold, chroma: shape?.chroma ?? .yuv420)
        let terms = video.attributes.first(StreamTerms.self)
        terms?.apply(to: &format)
        coded = terms?.coded ?? format.bitrate
        codedFramesPerSecond = terms?.codedFramesPerSecond ?? format.framesPerSecond
        self.mediaKey = mediaKey
        self.controlKey = controlKey
        allowsControl = control.attributes.first(ControlPermission.self)?.allowsControl ?? false
        for sound in description.media.compactMap(Sound.init)
        where !sounds.contains(where: { $0.origin == sound.origin }) {
            sounds.append(sound)
        }
        takesVoice = description.media.contains(where: VoiceOffer.isMade)
    }
}
