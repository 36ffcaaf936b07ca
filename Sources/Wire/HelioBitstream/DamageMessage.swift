package import HelioCore

/// Heliograph's SEI message: the regions of a picture that changed since the previous picture, so that the sink draws
/// only those.
///
/// The message is `user_data_unregistered` (H.264 section D.1.7, H.265 section D.2.7) in an SEI NAL unit before the
/// picture's first slice; other decoders ignore it. All numbers are big-endian:
/// ```
/// | UUID (16 bytes) | refinement (1) | count (1) | count × | x (2) | y (2) | width (2) | height (2) |
/// ```
/// Rectangles are in units of 16 pixels. A message without rectangles means that nothing changed; a picture without
/// this message may have changed everywhere.
package struct DamageMessage: Sendable, Hashable {
    /// The changed region. After parsing, it consists of whole units of 16 pixels, so it may extend past the picture's
    /// right and lower edges.
    package var region: Region
    /// The refinement step as in `EncodeRequest.refinement`, 0 to 255.
    package var refinement: UInt8

    package init(region: Region, refinement: UInt8 = 0) {
        self.region = region
        self.refinement = refinement
    }

    /// The width and height of a unit in pixels: those of a macroblock.
    package static let unit = 16

    /// The message's UUID, generated at random; it never changes.
    private static let identifier: [UInt8] = [
        0x83, 0x09, 0x5B, 0x50, 0xD9, 0xBC, 0x4C, 0xB2, 0xBB, 0xD5, 0x6B, 0x96, 0x8D, 0xA0, 0x5F, 0x6E,
    ]
    /// The size of the fields without rectangles.
    private static let fixedSize = 2

    /// Appends the message to `annexB` as a separate NAL unit, after a start code of 4 bytes.
    package func write(into annexB: inout [UInt8], codec: VideoCodec) {
        var writer = UserDataMessage.begin(Self.identifier, size: Self.fixedSize + region.rects.count * 8)
        writer.bits(UInt32(refinement), 8)
        writer.bits(UInt32(region.rects.count), 8)
        for rect in region.rects {
            let x = Self.units(rect.x)
            let y = Self.units(rect.y)
            writer.bits(x, 16)
            writer.bits(y, 16)
            writer.bits(Self.units(rect.maxX + Self.unit - 1) - x, 16)
            writer.bits(Self.units(rect.maxY + Self.unit - 1) - y, 16)
        }
        UserDataMessage.end(writer, into: &annexB, codec: codec)
    }

    private static func units(_ pixels: Int) -> UInt32 {
        UInt32(min(max(0, pixels / unit), Int(UInt16.max)))
    }

    /// Finds the message in an access unit; `nil` if there is no complete, well-formed message before the first slice.
    package static func find(inAnnexB bytes: RawSpan, codec: VideoCodec) -> Self? {
        guard let found = UserDataMessage.find(identifier, inAnnexB: bytes, codec: codec) else { return nil }
        var fields = found.fields
        return try? Self(&fields, size: found.size)
    }

    /// Reads the fields after the UUID.
    private init(_ reader: inout BitReader, size: Int) throws(BitstreamError) {
        refinement = try reader.byte()
        let count = Int(try reader.byte())
        guard count <= Region.limit, size == Self.fixedSize + count * 8 else { throw .invalid }
        region = Region()
        for _ in 0..<count {
            let x = Int(try reader.bits(16))
            let y = Int(try reader.bits(16))
            let width = Int(try reader.bits(16))
            let height = Int(try reader.bits(16))
            guard width > 0, height > 0, x + width <= Int(UInt16.max), y + height <= Int(UInt16.max) else {
                throw .invalid
            }
            region.add(
                PixelRect(x: x * Self.unit, y: y * Self.unit, width: width * Self.unit, height: height * Self.unit))
        }
    }
}
