import HelioCore

/// A pointer's shape as the body of a SET_PARAMETER request.
///
///     | width 2 | height 2 | hotspot x 2 | hotspot y 2 | RGBA, width * height * 4 |    (big-endian)
///
/// A viewer that keeps pointer shapes (`StreamCapabilities.keepsPointers`) is sent only the number of a shape that it
/// already has (see `CursorList`), as a body of another content type:
///
///     | number 4 |    (big-endian)
package enum CursorMessage {
    static let contentType = "application/x-heliograph-cursor"
    static let numberContentType = "application/x-heliograph-cursor-number"
    /// The maximum width and height in pixels of a pointer's shape; the host scales larger shapes down.
    package static let largestSide = 256

    static func encode(number: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: number)
        return bytes
    }

    static func decodeNumber(_ bytes: [UInt8]) -> UInt32? {
        bytes.count == 4 ? bytes.span.bytes.uint32(at: 0) : nil
    }

    static func encode(_ shape: CursorShape) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 + shape.rgba.count)
        for value in [shape.size.width, shape.size.height, shape.hotspotX, shape.hotspotY] {
            bytes.append(bigEndian: UInt16(clamping: value))
        }
        bytes.append(contentsOf: shape.rgba)
        return bytes
    }

    static func decode(_ bytes: [UInt8]) -> CursorShape? {
        let span = bytes.span.bytes
        guard let width = span.uint16(at: 0), let height = span.uint16(at: 2), let x = span.uint16(at: 4),
            let y = span.uint16(at: 6), (1...largestSide).contains(Int(width)), (1...largestSide).contains(Int(height)),
            x < width, y < height, let rgba = span.bytes(at: 8, count: Int(width) * Int(height) * 4),
            bytes.count == 8 + rgba.count
        else { return nil }
        return CursorShape(
            size: PixelSize(width: Int(width), height: Int(height)), hotspotX: Int(x), hotspotY: Int(y), rgba: rgba)
    }
}
