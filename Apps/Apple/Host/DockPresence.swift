import AppKit

/// Makes the app a regular one, with an icon in the Dock, while its preferences are open: the window of an app that is
/// in the menu bar alone (`LSUIElement`) opens behind those of other apps, and gets no keys.
@MainActor
enum DockPresence {
    static func begin() {
        _ = NSApplication.shared.setActivationPolicy(.regular)
        NSApplication.shared.activate()
    }

    static func end() { _ = NSApplication.shared.setActivationPolicy(.accessory) }
}
