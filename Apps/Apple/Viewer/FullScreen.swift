import Foundation

#if canImport(AppKit)
import AppKit
#endif

/// Lets the app's window fill the screen, and tells when it does.
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
    /// A phone's app has all of the screen: what the system shows over it goes, by the view.
    func set(_ isOn: Bool) { tell(isOn) }
    #endif
}
