import Foundation
import HelioCore
import HelioSoundCodecs
import HelioTestPrograms

/// Encodes Opus packets with a tone in each channel: 440 Hz on the left at a quarter of full scale, 1000 Hz on the
/// right at an eighth.
final class ToneCoder {
    static let left = (frequency: 440.0, amplitude: 0.25)
    static let right = (frequency: 1000.0, amplitude: 0.125)

    let encode: SoundEncode
    private let encoder: OpusEncoder

    init(_ encode: SoundEncode) throws {
        self.encode = encode
        encoder = try OpusEncoder(
            .standard, SoundEncoderSettings(bitrate: encode.bitrate, packetDuration: encode.packetDuration))
    }

    /// The number of sample frames of a packet.
    var frames: Int { encoder.framesPerPacket }

    /// Returns the packet that begins at this sample frame.
    func packet(at time: Int64) throws -> [UInt8] {
        var samples = [Float](repeating: 0, count: frames * 2)
        for frame in 0..<frames {
            let seconds = Double(time + Int64(frame)) / 48_000
            for (channel, tone) in [Self.left, Self.right].enumerated() {
                let phase = (seconds * tone.frequency).truncatingRemainder(dividingBy: 1)
                samples[frame * 2 + channel] = Float(tone.amplitude * sin(2 * .pi * phase))
            }
        }
        guard let packet = try encoder.encode(samples) else { throw BrowserError(description: "Opus codes nothing") }
        return packet
    }
}
