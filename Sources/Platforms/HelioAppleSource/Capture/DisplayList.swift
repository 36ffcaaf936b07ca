#if canImport(ScreenCaptureKit)
import CoreGraphics
import HelioAppleMedia
import HelioCore

/// The displays of this Mac, by CoreGraphics. Type-checked, not run.
enum DisplayList {
    /// The most displays that are listed.
    private static let most = 32

    static func read() -> [DisplayInfo] {
        var numbers = [CGDirectDisplayID](repeating: 0, count: most)
        var count: UInt32 = 0
        guard CGGetActiveDisplayList(UInt32(most), &numbers, &count) == .success else { return [] }
        return numbers.prefix(Int(count)).map(info)
    }

    private static func info(_ number: CGDirectDisplayID) -> DisplayInfo {
        let bounds = CGDisplayBounds(number)
        let frame = FrameRect(bounds)
        let mode = CGDisplayCopyDisplayMode(number)
        return DisplayInfo(
            number: number, name: "Display \(number)", frame: frame,
            pixels: PixelSize(width: mode?.pixelWidth ?? 0, height: mode?.pixelHeight ?? 0),
            isMain: number == CGMainDisplayID())
    }
}
#endif
