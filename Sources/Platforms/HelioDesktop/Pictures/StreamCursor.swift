import CPipeWire
package import HelioCore

/// The pointer of a stream: what its pictures' metadata have told.
package struct StreamCursor: Sendable {
    /// The place of the hot spot, in pixels of the picture; `nil` if the pointer is elsewhere, or hidden.
    package var position: (x: Int, y: Int)?
    /// The shape; `nil` until one has come.
    package var shape: CursorShape?

    /// The shape of a pointer that is not shown.
    static let hidden = CursorShape(
        size: PixelSize(width: 1, height: 1), hotspotX: 0, hotspotY: 0, rgba: [0, 0, 0, 0])

    package init() {}

    mutating func take(_ cursor: helio_pw_cursor) {
        position = cursor.is_visible == 0 ? nil : (Int(cursor.x), Int(cursor.y))
        guard cursor.has_shape != 0 else { return }
        guard let pixels = cursor.pixels else {
            shape = Self.hidden
            return
        }
        let size = PixelSize(width: Int(cursor.width), height: Int(cursor.height))
        var rgba: [UInt8] = []
        rgba.reserveCapacity(size.area * 4)
        for y in 0..<size.height {
            let row = pixels + y * Int(cursor.stride)
            for x in 0..<size.width {
                let pixel = row + x * 4
                let (first, third) = cursor.is_bgr != 0 ? (pixel[2], pixel[0]) : (pixel[0], pixel[2])
                let alpha = pixel[3]
                for channel in [first, pixel[1], third] { rgba.append(Self.straight(channel, alpha)) }
                rgba.append(alpha)
            }
        }
        shape = CursorShape(
            size: size, hotspotX: max(0, min(Int(cursor.hot_x), size.width - 1)),
            hotspotY: max(0, min(Int(cursor.hot_y), size.height - 1)), rgba: rgba)
    }

    /// Returns a channel without the alpha that it is multiplied by.
    private static func straight(_ channel: UInt8, _ alpha: UInt8) -> UInt8 {
        alpha == 0 ? 0 : UInt8(min(255, (Int(channel) * 255 + Int(alpha) / 2) / Int(alpha)))
    }
}
