package import HelioCore

/// A packet of the apps' or the microphone's sound (requirement rows 154 and 159).
///
/// ```
/// | 5 or 6 | codec 1 | channels 1 | sample rate 4 | captured 8 | payload |
/// ```
package struct RelaySound: Sendable, Hashable {
    static let headerSize = 15

    package var origin: SoundOrigin
    package var codec: SoundCodec
    package var format: SoundFormat
    /// The capture time of the first sample, on the monotonic clock that all processes of a machine share.
    package var captured: Instant
    /// The payload as in `EncodedSound.payload`: big-endian 16-bit samples, an Opus packet, or AAC by RFC 3640.
    package var payload: [UInt8]

    package init(origin: SoundOrigin, codec: SoundCodec, format: SoundFormat, captured: Instant, payload: [UInt8]) {
        self.origin = origin
        self.codec = codec
        self.format = format
        self.captured = captured
        self.payload = payload
    }

    /// True if the packet can be written and parsed: a known format, and only whole samples.
    package var isValid: Bool {
        format.isKnown && !payload.isEmpty && (codec != .pcm || payload.count % (2 * format.channels) == 0)
    }

    init?(_ payload: RawSpan, origin: SoundOrigin) {
        guard let code = payload.uint8(at: 1), let codec = Self.codecs.first(where: { $0.code == code })?.codec,
            let channels = payload.uint8(at: 2), let rate = payload.uint32(at: 3), let captured = payload.uint64(at: 7),
            let bytes = payload.bytes(at: Self.headerSize, count: payload.byteCount - Self.headerSize)
        else { return nil }
        self.init(
            origin: origin, codec: codec, format: SoundFormat(sampleRate: Int(rate), channels: Int(channels)),
            captured: Instant(nanoseconds: Int64(bitPattern: captured)), payload: bytes)
        guard isValid else { return nil }
    }

    func write(into bytes: inout [UInt8]) {
        bytes.append(Self.codecs.first { $0.codec == codec }?.code ?? 0)
        bytes.append(UInt8(clamping: format.channels))
        bytes.append(bigEndian: UInt32(clamping: format.sampleRate))
        bytes.append(bigEndian: UInt64(bitPattern: captured.nanoseconds))
        bytes.append(contentsOf: payload)
    }

    private static let codecs: [(code: UInt8, codec: SoundCodec)] = [(1, .pcm), (2, .opus), (3, .aac)]
}
