import Foundation

#if canImport(AppKit)
import AppKit
#endif

/// Puts the app's window in full screen, and reports changes.
@MainActor
final class FullScreen {
    private let tell: @MainActor (Bool) -> Void

    init(_ tell: @escaping @MainActor (Bool) -> Void) {
        self.tell = tell
        #if canImport(AppKit)
        observe(NSWindow.didEnterFullScreenNotification, true)
        observe(NSWindow.didExitFullScreenNotification, false)
        #endif
    }

    #if canImport(AppKit)
    func set(_ isOn: Bool) {
        guard let window = NSApplication.shared.keyWindow, window.styleMask.contains(.fullScreen) != isOn else {
            return
        }
        window.toggleFullScreen(nil)
    }

    private func observe(_ name: Notification.Name, _ isOn: Bool) {
        let tell = tell
        _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
            MainActor.assumeIsolated { tell(isOn) }
        }
    }
    #else
    /// A phone's app always fills the screen; the view hides the system's overlays.
    func set(_ isOn: Bool) { tell(isOn) }
    #endif
}
