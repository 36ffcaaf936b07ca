package import HelioCore

/// Reads the system's pointer: a shim over `NSCursor` and `CGEvent`.
package protocol CursorReading: AnyObject {
    /// The pointer's position on the desktop; `nil` if it is unknown.
    var place: DesktopPoint? { get }
    /// Reads the pointer's shape; `nil` if there is none, or it is unknown.
    func image() -> CursorImage?
}

/// The cursor source of a device without a pointer, or one that draws the pointer into its pictures.
package final class NoCursor: CursorSource {
    package init() {}

    package var isOnScreen: Bool { false }
    package func takeShape() -> CursorShape? { nil }
    package func takePosition() -> (x: Int, y: Int)? { nil }
}

/// The image and the hotspot of the system's pointer.
package struct CursorImage: Sendable, Hashable {
    package var pixels: PixelSize
    /// The pixels per point.
    package var scale: Double
    /// The hotspot, in points from the top left corner.
    package var hotspot: DesktopPoint
    /// RGBA bytes, premultiplied by alpha; rows without padding.
    package var premultiplied: [UInt8]

    package init(pixels: PixelSize, scale: Double, hotspot: DesktopPoint, premultiplied: [UInt8]) {
        self.pixels = pixels
        self.scale = scale
        self.hotspot = hotspot
        self.premultiplied = premultiplied
    }

    /// The longest side that is accepted, in pixels.
    package static let longestSide = 512

    /// Makes the shape for a monitor's scale (pixels per point); `nil` if the image is empty, too large or otherwise
    /// invalid.
    package func shape(monitorScale: Double) -> CursorShape? {
        guard (1...Self.longestSide).contains(pixels.width), (1...Self.longestSide).contains(pixels.height),
            premultiplied.count == pixels.area * 4, scale.isFinite, scale > 0, hotspot.x.isFinite, hotspot.y.isFinite
        else { return nil }
        var rgba = premultiplied
        for at in stride(from: 0, to: rgba.count, by: 4) {
            let alpha = Int(rgba[at + 3])
            for channel in at..<at + 3 {
                rgba[channel] = alpha == 0 ? 0 : UInt8(min(255, (Int(rgba[channel]) * 255 + alpha / 2) / alpha))
            }
        }
        func spot(_ points: Double, _ side: Int) -> Int { Int(min(Double(side - 1), max(0, points * scale))) }
        let shape = CursorShape(
            size: pixels, hotspotX: spot(hotspot.x, pixels.width), hotspotY: spot(hotspot.y, pixels.height), rgba: rgba)
        let ratio = monitorScale / scale
        guard ratio.isFinite, ratio > 0 else { return shape }
        func side(_ side: Int) -> Int { Int(min(Double(Self.longestSide), max(1, (Double(side) * ratio).rounded()))) }
        return shape.scaled(to: PixelSize(width: side(pixels.width), height: side(pixels.height)))
    }
}
