#if canImport(ScreenCaptureKit)
import AppKit
import Dispatch
import Foundation
import HelioAppleMedia

extension DisplayNames {
    /// Reads the names again, asynchronously on the main thread. It is only type-checked; no test runs it.
    func refresh() {
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                self.set(NSScreen.screens.compactMap { screen in screen.number.map { ($0, screen.localizedName) } })
            }
        }
    }
}

extension NSScreen {
    fileprivate var number: UInt32? {
        (deviceDescription[NSDeviceDescriptionKey(rawValue: "NSScreenNumber")] as? NSNumber)?.uint32Value
    }
}
#endif
