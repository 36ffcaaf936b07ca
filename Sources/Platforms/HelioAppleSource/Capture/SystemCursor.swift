#if canImport(ScreenCaptureKit)
import AppKit
import CoreGraphics
import Dispatch
package import HelioAppleMedia
import HelioCore
import Synchronization

/// Reads the pointer of macOS, by `NSCursor` and `CGEvent`. It is only type-checked; no test runs it.
///
/// AppKit promises cursors and images on the main thread alone. So the shape is read there, and a call from the media
/// thread gets the last one that was read.
package final class SystemCursor: CursorReading {
    private struct State {
        var image: CursorImage?
        var isAsked = false
    }
    private final class Shape: Sendable {
        let state = Mutex(State())
    }
    private let shape = Shape()

    package init() {}

    package var place: DesktopPoint? {
        CGEvent(source: nil).map { DesktopPoint(x: $0.location.x, y: $0.location.y) }
    }

    package func image() -> CursorImage? {
        let (image, isAsked) = shape.state.withLock { state in
            defer { state.isAsked = true }
            return (state.image, state.isAsked)
        }
        guard !isAsked else { return image }
        DispatchQueue.main.async { [shape] in
            let image = Self.read()
            shape.state.withLock { $0 = State(image: image) }
        }
        return image
    }

    private static func read() -> CursorImage? {
        guard let cursor = NSCursor.currentSystem else { return nil }
        let image = cursor.image
        guard let pixels = image.cgImage(forProposedRect: nil, context: nil, hints: nil),
            let bytes = bytes(of: pixels)
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
