#if canImport(ScreenCaptureKit)
import CoreGraphics
import HelioAppleMedia
import HelioCore

/// Lists the displays and windows of this Mac, by CoreGraphics. It is only type-checked; no test runs it.
enum DisplayList {
    /// The maximum number of displays that are listed.
    private static let most = 32

    /// Returns the active displays; empty if they can't be listed.
    ///
    /// - Parameter names: the displays' names; `nil` to number the displays instead.
    static func read(_ names: DisplayNames? = nil) -> [DisplayInfo] {
        var numbers = [CGDirectDisplayID](repeating: 0, count: most)
        var count: UInt32 = 0
        guard CGGetActiveDisplayList(UInt32(most), &numbers, &count) == .success else { return [] }
        return numbers.prefix(Int(count)).map { info($0, names) }
    }

    /// Returns the displays, followed by the windows that can be captured by themselves.
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
