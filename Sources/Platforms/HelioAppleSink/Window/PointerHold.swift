#if canImport(AppKit)
internal import AppKit
internal import CoreGraphics
internal import HelioAppleMedia

/// Locks the pointer: hides it and fixes it at a view's centre, so that the mouse reports relative movements only. It
/// is only type-checked; no test runs it.
@MainActor
final class PointerHold {
    private var isHeld = false

    /// Gives the pointer back, however the session has ended.
    isolated deinit { release() }

    func set(_ isOn: Bool, over view: NSView) {
        guard isOn else { return release() }
        guard !isHeld else { return }
        isHeld = true
        moveToMiddle(of: view)
        _ = CGAssociateMouseAndMouseCursorPosition(0)
        NSCursor.hide()
    }

    private func release() {
        guard isHeld else { return }
        isHeld = false
        _ = CGAssociateMouseAndMouseCursorPosition(1)
        NSCursor.unhide()
    }

    /// Moves the pointer to the view's centre, as a click elsewhere would reach another window.
    private func moveToMiddle(of view: NSView) {
        guard let window = view.window, let primary = NSScreen.screens.first else { return }
        let rect = window.convertToScreen(view.convert(view.bounds, to: nil))
        let middle = DesktopPoint(
            middleOf: FrameRect(
                x: Double(rect.origin.x), y: Double(rect.origin.y), width: Double(rect.size.width),
                height: Double(rect.size.height)), primaryHeight: Double(primary.frame.size.height))
        _ = CGWarpMouseCursorPosition(CGPoint(x: middle.x, y: middle.y))
    }
}
#endif
