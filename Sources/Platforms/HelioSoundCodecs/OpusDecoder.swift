internal import COpus
package import HelioCore

/// Decodes Opus (RFC 6716) with libopus.
package final class OpusDecoder: SoundDecoding {
    package let codec = SoundCodec.opus
    package let format: SoundFormat
    private let decoder: OpaquePointer
    /// The maximum number of sample frames in a packet: 120 ms.
    private let mostFrames: Int

    /// Throws `unsupported` if Opus does not support the rate or number of channels.
    package init(_ format: SoundFormat) throws(HelioError) {
        var status: Int32 = 0
        guard let decoder = opus_decoder_create(Int32(format.sampleRate), Int32(format.channels), &status) else {
            throw HelioError(
                .unsupported, "Opus does not decode to \(format.sampleRate) Hz, \(format.channels) channels.")
        }
        self.decoder = decoder
        self.format = format
        mostFrames = format.sampleRate * 120 / 1000
    }

    deinit { opus_decoder_destroy(decoder) }

    package func decode(_ payload: [UInt8]) throws(HelioError) -> [Float] {
        guard !payload.isEmpty else { throw Self.failure(OPUS_INVALID_PACKET) }
        return try decode(payload, frames: mostFrames, isRecovery: false)
    }

    package func recover(from next: [UInt8], frames: Int) throws(HelioError) -> [Float]? {
        guard !next.isEmpty else { return nil }
        return try decode(next, frames: frames, isRecovery: true)
    }

    package func conceal(frames: Int) throws(HelioError) -> [Float]? {
        try decode([], frames: frames, isRecovery: false)
    }

    /// Decodes or conceals a packet.
    ///
    /// - Parameters:
    ///   - payload: the packet; empty to conceal a lost one.
    ///   - isRecovery: true to decode the previous packet from the FEC data in `payload`.
    private func decode(_ payload: [UInt8], frames: Int, isRecovery: Bool) throws(HelioError) -> [Float] {
        guard (1...mostFrames).contains(frames) else { throw Self.failure(OPUS_BAD_ARG) }
        var samples = [Float](repeating: 0, count: frames * format.channels)
        let decoded = opus_decode_float(
            decoder, payload.isEmpty ? nil : payload, Int32(payload.count), &samples, Int32(frames),
            isRecovery ? 1 : 0)
        guard decoded >= 0 else { throw Self.failure(decoded) }
        samples.removeLast(samples.count - Int(decoded) * format.channels)
        return samples
    }

    private static func failure(_ status: Int32) -> HelioError {
        HelioError(.decoderFailed, "Opus: \(String(cString: opus_strerror(status))).")
    }
}
