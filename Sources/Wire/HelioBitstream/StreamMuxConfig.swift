/// The out-of-band configuration of a LATM stream: the number of access units in an element, and their coding
/// ([ISO/IEC 14496-3](https://www.iso.org/standard/76383.html) section 1.7.3). SDP carries it as `config` of
/// `MP4A-LATM` (RFC 6416 section 7.3).
///
/// ```
/// | version (1): 0 | same framing (1): 1 | subframes - 1 (6) | programs - 1 (4): 0 | layers - 1 (3): 0 |
/// | AudioSpecificConfig … | frame length type (3): 0 | …
/// ```
package struct StreamMuxConfig: Sendable, Hashable {
    /// The number of access units in an element: 1 to 64.
    package var subframes: Int
    package var config: AudioSpecificConfig

    /// Reads a configuration; `nil` if the bytes are truncated, if there are several programs or layers, or if the
    /// elements do not contain the access units' lengths.
    package init?(_ bytes: [UInt8]) {
        var reader = BitReader(Array(bytes.prefix(Self.maximumSize)))
        guard let read = try? Self.read(&reader) else { return nil }
        self = read
    }

    private init(subframes: Int, config: AudioSpecificConfig) {
        self.subframes = subframes
        self.config = config
    }

    private static func read(_ reader: inout BitReader) throws(BitstreamError) -> Self {
        guard try !reader.flag(), try reader.flag() else { throw .invalid }
        let subframes = Int(try reader.bits(6)) + 1
        guard try reader.bits(7) == 0 else { throw .invalid }
        let config = try AudioSpecificConfig.read(&reader)
        let kind = try reader.bits(3)
        // The bits 010 begin a configuration extension (0x2B7). It can be ignored, as no field after it is needed.
        let extended: UInt32 = 0b010
        guard kind == 0 || kind == extended else { throw .invalid }
        return Self(subframes: subframes, config: config)
    }

    private static let maximumSize = 64
}
