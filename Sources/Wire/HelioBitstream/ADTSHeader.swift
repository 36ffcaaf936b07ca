import HelioCore

/// The header in front of each AAC access unit in a stream without a container
/// ([ISO/IEC 14496-3](https://www.iso.org/standard/76383.html) section 1.A.2.2). It repeats the decoder's configuration
/// each time, so that a decoder can start at any access unit.
///
/// ```
/// | syncword (12: FFF) | ID (1) | layer (2: 0) | no checksum (1) |
/// | profile (2) | rate index (4) | private (1) | channels (3) | original, home, copyright (4) |
/// | frame length (13) | buffer fullness (11: 7FF) | blocks, less one (2) |
/// ```
package struct ADTSHeader: Sendable, Hashable {
    /// The bytes of a header without a checksum; Heliograph writes only such headers.
    package static let size = 7
    /// The most bytes of an access unit that follows a header.
    package static let maximumUnit = 0x1FFF - size

    /// The configuration of the access unit. ADTS cannot express access units of 960 samples or an extended sample
    /// rate, so it never has either.
    package var config: AudioSpecificConfig
    /// The bytes of the header as read: 7, or 9 with a checksum.
    package var headerSize: Int
    /// The bytes of the access unit that follows the header: 1 to 8184.
    package var unitSize: Int

    /// Describes an access unit; `nil` where ADTS cannot express it: a sample rate without an index, an access unit of
    /// 960 samples, no bytes or too many.
    package init?(_ config: AudioSpecificConfig, unitSize: Int) {
        guard config.rateIndex != nil, config.unitLength == 1024, (1...Self.maximumUnit).contains(unitSize) else {
            return nil
        }
        self.config = config
        self.config.extendedSampleRate = nil
        headerSize = Self.size
        self.unitSize = unitSize
    }

    /// Reads a header at an offset; `nil` for anything else, for several blocks in a frame, and for channels that a
    /// program config element defines. Does not check that the whole access unit is there.
    package init?(_ bytes: RawSpan, at offset: Int = 0) {
        guard let first = bytes.uint32(at: offset), let rest = bytes.uint24(at: offset + 4), first >> 20 == 0xFFF,
            first >> 17 & 3 == 0, rest & 3 == 0
        else { return nil }
        // Profile, rate and channels are the fields of a configuration, but a private bit stands between rate and
        // channels.
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
