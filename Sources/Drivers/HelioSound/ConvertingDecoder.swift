internal import HelioCore
internal import HelioPlayout

/// A decoder followed by a resampler, for sound from third-party sources; Heliograph's own sound always has 48 kHz.
final class ConvertingDecoder: SoundDecoding {
    let format: SoundFormat
    private let decoder: any SoundDecoding
    private var resampler: SoundResampler

    /// - Parameter rate: the output's sample rate in Hz.
    init(_ decoder: any SoundDecoding, to rate: Int) {
        self.decoder = decoder
        format = SoundFormat(sampleRate: rate, channels: decoder.format.channels)
        resampler = SoundResampler(
            from: decoder.format.sampleRate, to: rate, channels: decoder.format.channels)
    }

    var codec: SoundCodec { decoder.codec }

    func decode(_ payload: [UInt8]) throws(HelioError) -> [Float] { resampler.convert(try decoder.decode(payload)) }
    func recover(from next: [UInt8], frames: Int) -> [Float]? { nil }
    func conceal(frames: Int) -> [Float]? { nil }
}
