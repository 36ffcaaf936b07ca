#if canImport(ScreenCaptureKit)
import AppKit
import CoreGraphics
package import HelioAppleMedia
import HelioCore

/// Reads the pointer of macOS, by `NSCursor` and `CGEvent`. It is only type-checked; no test runs it.
package final class SystemCursor: CursorReading {
    package init() {}

    package var place: DesktopPoint? {
        CGEvent(source: nil).map { DesktopPoint(x: $0.location.x, y: $0.location.y) }
    }

    package func image() -> CursorImage? {
        guard let cursor = NSCursor.currentSystem else { return nil }
        let image = cursor.image
        guard let pixels = image.cgImage(forProposedRect: nil, context: nil, hints: nil),
            let bytes = Self.bytes(of: pixels)
        else { return nil }
        return CursorImage(
            pixels: PixelSize(width: pixels.width, height: pixels.height),
            scale: Double(pixels.width) / image.size.width,
            hotspot: DesktopPoint(x: cursor.hotSpot.x, y: cursor.hotSpot.y), premultiplied: bytes)
    }

    /// Draws an image as premultiplied RGBA bytes; `nil` if it is empty, too large or can't be drawn.
    private static func bytes(of image: CGImage) -> [UInt8]? {
        let (width, height) = (image.width, image.height)
        guard (1...CursorImage.longestSide).contains(width), (1...CursorImage.longestSide).contains(height),
            let space = CGColorSpace(name: CGColorSpace.sRGB)
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        let isDrawn = bytes.withUnsafeMutableBytes { memory in
            let context = CGContext(
                data: memory.baseAddress, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4,
                space: space, bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
            context?.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
            return context != nil
        }
        return isDrawn ? bytes : nil
    }
}
#endif
