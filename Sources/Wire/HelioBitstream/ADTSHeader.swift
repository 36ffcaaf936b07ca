import HelioCore

/// The ADTS header in front of each AAC access unit in a stream without a container
/// ([ISO/IEC 14496-3](https://www.iso.org/standard/76383.html) section 1.A.2.2). Each header contains the decoder's
/// configuration, so that a decoder can start at any access unit.
///
/// ```
/// | syncword (12: FFF) | ID (1) | layer (2: 0) | no checksum (1) |
/// | profile (2) | rate index (4) | private (1) | channels (3) | original, home, copyright (4) |
/// | frame length (13) | buffer fullness (11: 7FF) | blocks, less one (2) |
/// ```
package struct ADTSHeader: Sendable, Hashable {
    /// The size of a header without a checksum, in bytes; Heliograph writes only such headers.
    package static let size = 7
    /// The maximum size of the access unit after a header, in bytes.
    package static let maximumUnit = 0x1FFF - size

    /// The configuration of the access unit. ADTS cannot express access units of 960 samples or an extended sample
    /// rate, so `config` never has them.
    package var config: AudioSpecificConfig
    /// The size of the header that was read, in bytes: 7, or 9 with a checksum.
    package var headerSize: Int
    /// The size of the access unit after the header, in bytes: 1 to 8184.
    package var unitSize: Int

    /// Makes the header of an access unit; `nil` if the sample rate has no index, if the access unit has 960 samples,
    /// or if `unitSize` is not in 1...`maximumUnit`.
    package init?(_ config: AudioSpecificConfig, unitSize: Int) {
        guard config.rateIndex != nil, config.unitLength == 1024, (1...Self.maximumUnit).contains(unitSize) else {
            return nil
        }
        self.config = config
        self.config.extendedSampleRate = nil
        headerSize = Self.size
        self.unitSize = unitSize
    }

    /// Reads a header at an offset. Returns `nil` if there is no valid header, if a frame has several raw data blocks,
    /// or if a program config element defines the channels. Does not check that the whole access unit is there.
    package init?(_ bytes: RawSpan, at offset: Int = 0) {
        guard let first = bytes.uint32(at: offset), let rest = bytes.uint24(at: offset + 4), first >> 20 == 0xFFF,
            first >> 17 & 3 == 0, rest & 3 == 0
        else { return nil }
        // The fields are those of an `AudioSpecificConfig`, but ADTS has a private bit between rate and channels.
        guard
            let config = AudioSpecificConfig(
                profile: UInt8(first >> 14 & 3), rateIndex: Int(first >> 10 & 15), channels: Int(first >> 6 & 7))
        else { return nil }
        self.config = config
        headerSize = first >> 16 & 1 == 1 ? Self.size : 9
        unitSize = Int((first & 3) << 11 | rest >> 13) - headerSize
        guard unitSize > 0 else { return nil }
    }

    /// Appends the header, without a checksum.
    package func write(into output: inout [UInt8]) {
        var writer = BitWriter()
        writer.bits(0xFFF1, 16)
        writer.bits(UInt32(config.objectType.rawValue - 1), 2)
        writer.bits(UInt32(config.rateIndex ?? 0), 4)
        writer.bits(UInt32(config.channels == 8 ? 7 : config.channels), 4)
        writer.bits(0, 4)
        writer.bits(UInt32(unitSize + Self.size), 13)
        writer.bits(0x7FF, 11)
        writer.bits(0, 2)
        output.append(contentsOf: writer.finish())
    }
}
