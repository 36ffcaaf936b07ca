#if canImport(AppKit)
internal import AppKit
internal import Foundation
internal import HelioAppleMedia
internal import HelioCore

extension PointerOverlay.Local {
    /// Makes the AppKit cursor for this machine's own pointer over the picture. This is only type-checked; no test runs
    /// it.
    ///
    /// - Parameter scale: the number of pixels per point.
    @MainActor
    func cursor(scale: CGFloat) -> NSCursor {
        switch self {
        case .system: .arrow
        case .shape(let shape): Self.make(shape, scale) ?? .arrow
        case .hidden: Self.make(.transparent, scale) ?? .arrow
        }
    }

    @MainActor
    private static func make(_ shape: CursorShape, _ scale: CGFloat) -> NSCursor? {
        let (width, height) = (shape.size.width, shape.size.height)
        let bitmap = NSBitmapImageRep(
            bitmapDataPlanes: nil, pixelsWide: width, pixelsHigh: height, bitsPerSample: 8, samplesPerPixel: 4,
            hasAlpha: true, isPlanar: false, colorSpaceName: .deviceRGB, bitmapFormat: .alphaNonpremultiplied,
            bytesPerRow: width * 4, bitsPerPixel: 32)
        guard let bitmap, let data = bitmap.bitmapData else { return nil }
        data.update(from: shape.rgba, count: width * height * 4)
        let size = CGSize(width: CGFloat(width) / scale, height: CGFloat(height) / scale)
        bitmap.size = size
        let image = NSImage(size: size)
        image.addRepresentation(bitmap)
        let spot = NSPoint(x: CGFloat(shape.hotspotX) / scale, y: CGFloat(shape.hotspotY) / scale)
        return NSCursor(image: image, hotSpot: spot)
    }
}
#endif
