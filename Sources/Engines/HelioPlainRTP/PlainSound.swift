internal import HelioBitstream
package import HelioCore
internal import HelioMedia
internal import HelioRTP
package import HelioSDP

/// The audio stream in another program's SDP, with the parameters for its depacketizer and decoder.
package struct PlainSound: Sendable {
    package var description: SoundDescription
    /// The absolute URI of the audio stream, for SETUP.
    package var uri: String
    /// The codec of the output packets; G.711 is converted to PCM.
    package var codec: SoundCodec
    /// The sample format of the encoded audio.
    package var format: SoundFormat
    /// AAC's `AudioSpecificConfig`; empty for other codecs.
    package var configuration: [UInt8]
    /// The duration of an AAC access unit, in ticks of the RTP clock.
    var unitLength: Int

    /// The accepted sample rates and RTP clock rates, in hertz.
    private static let rates = 8000...96000

    /// The depacketizer for AAC; `nil` for codecs with one audio packet per RTP packet.
    var depacketizer: AACDepacketizer?

    /// The human-readable reason why an audio stream can't be played.
    struct Obstacle: Error {
        var text: String
    }

    init(_ description: SoundDescription, uri: String) throws(Obstacle) {
        self.description = description
        self.uri = uri
        configuration = []
        unitLength = 0
        format = SoundFormat(sampleRate: description.clockRate, channels: description.channels)
        switch description.encoding {
        case .opus:
            codec = .opus
            format = .standard
        case .linear16, .muLaw, .aLaw: codec = .pcm
        case .aac, .latm:
            codec = .aac
            guard let (config, depacketizer) = Self.aac(description.encoding) else {
                throw Obstacle(text: "a kind of AAC that is not known here")
            }
            self.depacketizer = depacketizer
            if case .aac(let parameters) = description.encoding {
                configuration = parameters.configuration
            } else {
                configuration = config.bytes
            }
            format = SoundFormat(
                sampleRate: config.extendedSampleRate ?? config.sampleRate, channels: config.channels)
            unitLength = config.unitLength * description.clockRate / config.sampleRate
        }
        guard (1...2).contains(format.channels) else { throw Obstacle(text: "\(format.channels) channels") }
        guard Self.rates.contains(format.sampleRate), Self.rates.contains(description.clockRate) else {
            throw Obstacle(text: "\(format.sampleRate) samples a second")
        }
    }

    /// The receive format of the stream, without a video codec, so that packets are output in order of arrival.
    var receiveFormat: ReceiveFormat {
        ReceiveFormat(
            payloadType: description.payloadType, video: nil, clockRate: UInt32(clamping: description.clockRate))
    }

    private static func aac(_ encoding: SoundDescription.Encoding) -> (AudioSpecificConfig, AACDepacketizer)? {
        switch encoding {
        case .aac(let parameters):
            let widths = AACPayload.Widths(
                size: parameters.sizeLength, index: parameters.indexLength, indexDelta: parameters.indexDeltaLength)
            guard let config = AudioSpecificConfig(parameters.configuration), let widths else { return nil }
            return (config, AACDepacketizer(widths: widths))
        case .latm(let parameters):
            guard let mux = StreamMuxConfig(parameters.configuration) else { return nil }
            return (mux.config, AACDepacketizer(subframes: mux.subframes))
        case .opus, .linear16, .muLaw, .aLaw: return nil
        }
    }
}
