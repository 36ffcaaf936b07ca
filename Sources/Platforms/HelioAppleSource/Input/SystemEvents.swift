#if canImport(ScreenCaptureKit)
import AppKit
import CoreGraphics
package import HelioAppleMedia
import HelioCore

/// Posts input events to macOS, and reads the pointer's position, by `CGEvent`. It is only type-checked; no test runs
/// it.
package final class SystemEvents: PointerEvents {
    private let source = CGEventSource(stateID: .hidSystemState)

    private let keyRepeat = KeyRepeat()

    package init() {
        // macOS ignores the local mouse for this interval after each injected event, so set it to 0.
        source?.localEventsSuppressionInterval = 0
    }

    /// The user's setting for the maximum time between the clicks of a double click.
    package static var doubleClick: Duration { .seconds(NSEvent.doubleClickInterval) }

    package var pointer: DesktopPoint? {
        CGEvent(source: nil).map { DesktopPoint(x: $0.location.x, y: $0.location.y) }
    }

    package func displays() -> [FrameRect] { DisplayList.read().map(\.frame) }

    package func post(_ event: MacPointerEvent) {
        let made = CGEvent(
            mouseEventSource: source, mouseType: event.kind.type,
            mouseCursorPosition: CGPoint(x: event.at.x, y: event.at.y), mouseButton: event.kind.button)
        guard let made else { return }
        made.flags = CGEventFlags(rawValue: event.flags)
        made.setIntegerValueField(.mouseEventButtonNumber, value: event.kind.number)
        made.setIntegerValueField(.mouseEventClickState, value: Int64(event.clicks))
        made.setDoubleValueField(.mouseEventDeltaX, value: event.dx)
        made.setDoubleValueField(.mouseEventDeltaY, value: event.dy)
        made.post(tap: .cghidEventTap)
    }

    package func postKey(_ keycode: UInt16, isDown: Bool, flags: UInt64) {
        let made = CGEvent(keyboardEventSource: source, virtualKey: keycode, keyDown: isDown)
        made?.flags = CGEventFlags(rawValue: flags)
        made?.post(tap: .cghidEventTap)
    }

    package func postFlags(_ keycode: UInt16, flags: UInt64) {
        let made = CGEvent(keyboardEventSource: source, virtualKey: keycode, keyDown: true)
        made?.type = .flagsChanged
        made?.flags = CGEventFlags(rawValue: flags)
        made?.post(tap: .cghidEventTap)
    }

    package func repeatKey(_ keycode: UInt16, flags: UInt64) { keyRepeat.start(keycode, flags: flags) }
    package func stopRepeating() { keyRepeat.stop() }

    package func postScroll(x: Int32, y: Int32, flags: UInt64) {
        let made = CGEvent(
            scrollWheelEvent2Source: source, units: .pixel, wheelCount: 2, wheel1: y, wheel2: x, wheel3: 0)
        made?.flags = CGEventFlags(rawValue: flags)
        made?.post(tap: .cghidEventTap)
    }

    package func postText(_ units: [UInt16]) {
        for isDown in [true, false] {
            let made = CGEvent(keyboardEventSource: source, virtualKey: 0, keyDown: isDown)
            made?.flags = []
            made?.keyboardSetUnicodeString(stringLength: units.count, unicodeString: units)
            made?.post(tap: .cghidEventTap)
        }
    }
}
#endif
