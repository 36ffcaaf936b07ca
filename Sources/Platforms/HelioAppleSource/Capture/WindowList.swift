#if canImport(ScreenCaptureKit)
import CoreGraphics
import Foundation
import HelioAppleMedia

/// Lists the windows on this Mac's screens, by `CGWindowListCopyWindowInfo`. It is only type-checked; no test runs it.
enum WindowList {
    static func read() -> [ListedWindow] {
        let list = CGWindowListCopyWindowInfo([.optionOnScreenOnly, .excludeDesktopElements], kCGNullWindowID)
        return (list as Any? as? [NSDictionary] ?? []).compactMap(window)
    }

    private static func window(_ info: NSDictionary) -> ListedWindow? {
        guard let number = info[kCGWindowNumber] as? NSNumber, let bounds = info[kCGWindowBounds] as? NSDictionary,
            let frame = CGRect(dictionaryRepresentation: bounds.bridged)
        else { return nil }
        let process = (info[kCGWindowOwnerPID] as? NSNumber)?.int32Value
        return ListedWindow(
            number: number.uint32Value, owner: text(info[kCGWindowOwnerName]), title: text(info[kCGWindowName]),
            frame: FrameRect(frame), layer: (info[kCGWindowLayer] as? NSNumber)?.intValue ?? 0,
            isOwn: process == ProcessInfo.processInfo.processIdentifier)
    }

    private static func text(_ value: Any?) -> String { (value as? NSString).map { "\($0)" } ?? "" }
}
#endif
