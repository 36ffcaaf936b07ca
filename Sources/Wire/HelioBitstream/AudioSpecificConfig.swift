package import HelioCore

/// The AAC configuration that a decoder needs before the first access unit: object type, rate and channels
/// ([ISO/IEC 14496-3](https://www.iso.org/standard/76383.html) section 1.6.2.1). SDP carries it as `config` (RFC 3640
/// section 4.1).
///
/// ```
/// | object type (5) | rate index (4) | channels (4) | frame length (1) | core coder (1) | extension (1) |
///   31: 6 bits more   15: 24 bits more               0: 1024, 1: 960
///   5, 29: SBR; after channels follow the rate index (4) of the raised rate and the object type (5) of the core
/// ```
package struct AudioSpecificConfig: Sendable, Hashable {
    /// The coding tools of the access units. Other object types are refused.
    package enum ObjectType: UInt8, Sendable, Hashable, CaseIterable {
        case main = 1
        case lowComplexity = 2
        case scalable = 3
        case longTermPrediction = 4
    }

    package var objectType: ObjectType
    /// The coded sample rate in Hz, before spectral band replication.
    package var sampleRate: Int
    /// The number of channels: 1 to 6, or 8.
    package var channels: Int
    /// The number of samples per channel in an access unit: 1024 or 960.
    package var unitLength: Int
    /// The sample rate in Hz after spectral band replication (HE-AAC); `nil` if the configuration does not signal it.
    package var extendedSampleRate: Int?

    /// Makes an AAC-LC configuration.
    package init(_ format: SoundFormat) {
        self.init(objectType: .lowComplexity, sampleRate: format.sampleRate, channels: format.channels)
    }

    private init(objectType: ObjectType, sampleRate: Int, channels: Int) {
        self.objectType = objectType
        self.sampleRate = sampleRate
        self.channels = channels
        unitLength = 1024
    }

    /// Makes a configuration from the fields of an ADTS header, whose profile is the object type minus 1. Returns `nil`
    /// if the index has no rate, or if a program config element defines the channels.
    init?(profile: UInt8, rateIndex: Int, channels: Int) {
        guard let objectType = ObjectType(rawValue: profile + 1), Self.rates.indices.contains(rateIndex),
            (1...7).contains(channels)
        else { return nil }
        self.init(objectType: objectType, sampleRate: Self.rates[rateIndex], channels: channels == 7 ? 8 : channels)
    }

    /// The sampling frequency index of the rate (table 1.18); `nil` if the rate has none.
    var rateIndex: Int? { Self.rates.firstIndex(of: sampleRate) }

    /// Reads a configuration. Ignores the bytes after the extension flag, as FFmpeg's encoder and others append more
    /// fields. Returns `nil` if the bytes are truncated, if the object type is another one (ELD, USAC), or if a program
    /// config element defines the channels.
    package init?(_ bytes: [UInt8]) {
        var reader = BitReader(Array(bytes.prefix(Self.maximumSize)))
        guard let config = try? Self.read(&reader) else { return nil }
        self = config
    }

    static func read(_ reader: inout BitReader) throws(BitstreamError) -> Self {
        var type = try objectType(&reader)
        let rate = try sampleRate(&reader)
        let configuration = try reader.bits(4)
        let channels = configuration == 7 ? 8 : Int(configuration)
        guard (1...8).contains(channels), configuration <= 7 else { throw .invalid }
        var extended: Int?
        if type == spectralBandReplication || type == parametricStereo {
            extended = try sampleRate(&reader)
            type = try objectType(&reader)
        }
        guard let objectType = ObjectType(rawValue: type) else { throw .invalid }
        var config = Self(objectType: objectType, sampleRate: rate, channels: channels)
        config.extendedSampleRate = extended
        config.unitLength = try reader.flag() ? 960 : 1024
        if try reader.flag() { try reader.skip(14) }  // coreCoderDelay
        try reader.skip(1)  // extensionFlag
        return config
    }

    private static func objectType(_ reader: inout BitReader) throws(BitstreamError) -> UInt8 {
        let type = UInt8(try reader.bits(5))
        return type == 31 ? 32 + UInt8(try reader.bits(6)) : type
    }

    private static func sampleRate(_ reader: inout BitReader) throws(BitstreamError) -> Int {
        let index = Int(try reader.bits(4))
        if index < rates.count { return rates[index] }
        guard index == 15 else { throw .invalid }
        let rate = Int(try reader.bits(24))
        guard (7350...96000).contains(rate) else { throw .invalid }
        return rate
    }

    /// The serialised configuration.
    package var bytes: [UInt8] {
        var writer = BitWriter()
        writer.bits(UInt32(extendedSampleRate == nil ? objectType.rawValue : Self.spectralBandReplication), 5)
        Self.write(rate: sampleRate, to: &writer)
        writer.bits(channels == 8 ? 7 : UInt32(channels), 4)
        if let extendedSampleRate {
            Self.write(rate: extendedSampleRate, to: &writer)
            writer.bits(UInt32(objectType.rawValue), 5)
        }
        writer.flag(unitLength == 960)
        writer.bits(0, 2)
        return writer.finish()
    }

    private static func write(rate: Int, to writer: inout BitWriter) {
        if let index = rates.firstIndex(of: rate) {
            writer.bits(UInt32(index), 4)
        } else {
            writer.bits(15, 4)
            writer.bits(UInt32(truncatingIfNeeded: rate), 24)
        }
    }

    /// The maximum number of bytes that are read.
    private static let maximumSize = 64
    private static let spectralBandReplication: UInt8 = 5
    private static let parametricStereo: UInt8 = 29
    /// Sample rates by sampling frequency index (table 1.18).
    private static let rates = [
        96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
    ]
}
