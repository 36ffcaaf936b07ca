internal import COpus
package import HelioCore

/// Encodes Opus (RFC 6716) with libopus.
///
/// Packets shorter than 10 ms use the mode with the lowest delay; longer ones use the mode that supports speech coding,
/// in-band FEC and DTX.
package final class OpusEncoder: SoundEncoding {
    package let codec = SoundCodec.opus
    package let format: SoundFormat
    package private(set) var framesPerPacket: Int
    package let delayFrames: Int
    private let encoder: OpaquePointer
    private var settings: SoundEncoderSettings
    /// The buffer for a packet, of the maximum size of an Opus frame (RFC 6716 section 3.4).
    private var packet = [UInt8](repeating: 0, count: 1276)

    /// The supported packet lengths, in sample frames at 48 kHz.
    private static let packetFrames: Set<Int> = [120, 240, 480, 960]
    private static let bitrates = 6000...510_000
    /// The encoder's complexity, 0...10. A higher value needs more CPU time, and the difference is inaudible at these
    /// bitrates.
    private static let complexity: Int32 = 7

    /// Throws `unsupported` if Opus does not support the format, and `invalidArgument` if it does not support the
    /// packet length.
    package init(_ format: SoundFormat, _ settings: SoundEncoderSettings) throws(HelioError) {
        framesPerPacket = try Self.frames(of: settings.packetDuration, format)
        let isLong = settings.packetDuration >= .milliseconds(10)
        var status: Int32 = 0
        guard
            let encoder = opus_encoder_create(
                Int32(clamping: format.sampleRate), Int32(clamping: format.channels),
                isLong ? OPUS_APPLICATION_AUDIO : OPUS_APPLICATION_RESTRICTED_LOWDELAY, &status)
        else {
            throw HelioError(
                .unsupported, "Opus does not code \(format.sampleRate) Hz, \(format.channels) channels.")
        }
        self.encoder = encoder
        self.format = format
        self.settings = settings
        var lookahead: Int32 = 0
        _ = helio_opus_encoder_get(encoder, OPUS_GET_LOOKAHEAD_REQUEST, &lookahead)
        delayFrames = Int(lookahead) * 48000 / format.sampleRate
        try set(OPUS_SET_COMPLEXITY_REQUEST, Self.complexity)
        try set(OPUS_SET_DTX_REQUEST, isLong ? 1 : 0)
        try apply(settings)
    }

    deinit { opus_encoder_destroy(encoder) }

    package func encode(_ samples: [Float]) throws(HelioError) -> [UInt8]? {
        guard samples.count == framesPerPacket * format.channels else {
            throw HelioError(.invalidArgument, "A packet is \(framesPerPacket) sample frames, not these.")
        }
        let count = opus_encode_float(encoder, samples, Int32(framesPerPacket), &packet, Int32(packet.count))
        guard count >= 0 else { throw Self.failure(count) }
        // According to libopus's manual, packets of up to 2 bytes (DTX) need not be sent.
        return count > 2 || settings.codesRests ? Array(packet[..<Int(count)]) : nil
    }

    package func reconfigure(_ settings: SoundEncoderSettings) throws(HelioError) {
        guard settings != self.settings else { return }
        let frames = try Self.frames(of: settings.packetDuration, format)
        try apply(settings)
        framesPerPacket = frames
        self.settings = settings
    }

    private func apply(_ settings: SoundEncoderSettings) throws(HelioError) {
        let bitrate = min(max(settings.bitrate, Self.bitrates.lowerBound), Self.bitrates.upperBound)
        let loss = settings.lossShare > 0 ? min(100, max(1, Int32((min(settings.lossShare, 1) * 100).rounded()))) : 0
        try set(OPUS_SET_BITRATE_REQUEST, Int32(bitrate))
        try set(OPUS_SET_PACKET_LOSS_PERC_REQUEST, loss)
        try set(OPUS_SET_INBAND_FEC_REQUEST, loss > 0 ? 1 : 0)
    }

    private func set(_ request: Int32, _ value: Int32) throws(HelioError) {
        let status = helio_opus_encoder_set(encoder, request, value)
        if status < 0 { throw Self.failure(status) }
    }

    private static func frames(of duration: Duration, _ format: SoundFormat) throws(HelioError) -> Int {
        let frames = Int(SoundFormat.standard.frames(in: max(.zero, min(duration, .seconds(1)))))
        guard packetFrames.contains(frames) else {
            throw HelioError(.invalidArgument, "Opus has packets of 2.5, 5, 10 and 20 ms, not of \(duration).")
        }
        return frames * format.sampleRate / 48000
    }

    private static func failure(_ status: Int32) -> HelioError {
        HelioError(.encoderFailed, "Opus: \(String(cString: opus_strerror(status))).")
    }
}
