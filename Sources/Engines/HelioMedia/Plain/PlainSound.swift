internal import HelioBitstream
package import HelioCore
internal import HelioRTP
package import HelioSDP

/// The sound of another program's session description: what its packets hold, and what a decoder has to know.
package struct PlainSound: Sendable {
    package var description: SoundDescription
    /// The absolute URI for SETUP.
    package var uri: String
    /// The codec of what is given out: G.711 comes out as samples.
    package var codec: SoundCodec
    /// The format that the sound was coded from.
    package var format: SoundFormat
    /// AAC's `AudioSpecificConfig`; empty for other codecs.
    package var configuration: [UInt8]
    /// AAC's samples of a channel in an access unit, in ticks of the clock.
    var unitLength: Int

    /// The sample rates that are taken.
    private static let rates = 8000...96000

    /// What takes its packets apart; `nil` for codecs whose payloads are handed on.
    var depacketizer: AACDepacketizer?

    /// The reason why a description can't be heard, for people.
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

    /// The stream's receive format: packets are handed on as they come.
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
