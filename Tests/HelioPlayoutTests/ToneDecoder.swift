import HelioCore

/// A decoder of test sound. The first two bytes of a payload are the length in frames, big-endian; then nothing
/// follows, for the tone, or 16-bit stereo samples. An empty payload decodes to nothing; one of a single byte is
/// rejected.
final class ToneDecoder: SoundDecoding {
    let codec: SoundCodec
    let format: SoundFormat
    private let tone: Tone
    private let recovers: Bool
    private var blocks: [Int: [Float]] = [:]
    private(set) var recovered = 0

    init(_ codec: SoundCodec, _ format: SoundFormat, tone: Tone = Tone(), recovers: Bool = false) {
        self.codec = codec
        self.format = format
        self.tone = tone
        self.recovers = recovers
    }

    static func payload(_ frames: Int) -> [UInt8] { [UInt8(frames >> 8), UInt8(frames & 0xFF)] }

    static func payload(_ samples: [Float]) -> [UInt8] {
        payload(samples.count / 2)
            + samples.flatMap { sample -> [UInt8] in
                let value = UInt16(bitPattern: Int16((sample * 32767).rounded()))
                return [UInt8(value >> 8), UInt8(value & 0xFF)]
            }
    }

    func decode(_ payload: [UInt8]) throws(HelioError) -> [Float] {
        guard !payload.isEmpty else { return [] }
        guard payload.count >= 2 else { throw HelioError(.decoderFailed, "Too short.") }
        let frames = Int(payload[0]) << 8 | Int(payload[1])
        guard payload.count > 2 else { return block(frames) }
        guard payload.count == 2 + frames * 4 else { throw HelioError(.decoderFailed, "Not that long.") }
        return stride(from: 2, to: payload.count, by: 2).map {
            Float(Int16(bitPattern: UInt16(payload[$0]) << 8 | UInt16(payload[$0 + 1]))) / 32767
        }
    }

    func recover(from next: [UInt8], frames: Int) throws(HelioError) -> [Float]? {
        guard recovers else { return nil }
        recovered += 1
        return block(frames)
    }

    func conceal(frames: Int) throws(HelioError) -> [Float]? { nil }

    /// Returns the tone: packets contain whole periods of it, so all packets of one length are equal.
    private func block(_ frames: Int) -> [Float] {
        if let block = blocks[frames] { return block }
        let block = tone.samples(0..<frames, rate: 48000, channels: format.channels)
        blocks[frames] = block
        return block
    }
}
