#if canImport(ScreenCaptureKit)
import CoreGraphics
import HelioAppleMedia
import HelioCore

/// The displays of this Mac, by CoreGraphics. Type-checked, not run.
enum DisplayList {
    /// The most displays that are listed.
    private static let most = 32

    /// - Parameter names: the displays' names; without them, displays are numbered.
    static func read(_ names: DisplayNames? = nil) -> [DisplayInfo] {
        var numbers = [CGDirectDisplayID](repeating: 0, count: most)
        var count: UInt32 = 0
        guard CGGetActiveDisplayList(UInt32(most), &numbers, &count) == .success else { return [] }
        return numbers.prefix(Int(count)).map { info($0, names) }
    }

    /// The displays, and the windows that can be captured by themselves.
    static func readAll(_ names: DisplayNames) -> [DisplayInfo] {
        let displays = read(names)
        return displays + DisplayInfo.windows(WindowList.read(), on: displays)
    }

    private static func info(_ number: CGDirectDisplayID, _ names: DisplayNames?) -> DisplayInfo {
        let bounds = CGDisplayBounds(number)
        let frame = FrameRect(bounds)
        let mode = CGDisplayCopyDisplayMode(number)
        return DisplayInfo(
            number: number, name: names?.name(of: number) ?? "Display \(number)", frame: frame,
            pixels: PixelSize(width: mode?.pixelWidth ?? 0, height: mode?.pixelHeight ?? 0),
            isMain: number == CGMainDisplayID())
    }
}
#endif
