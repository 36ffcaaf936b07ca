#if canImport(ScreenCaptureKit)
import AppKit
import CoreGraphics
import Dispatch

/// Posts a held key again and again, after the delay and at the rate that the user has set for keyboards. It is only
/// type-checked; no test runs it.
final class KeyRepeat {
    private let queue = DispatchQueue(label: "heliograph.key-repeat")
    private var timer: (any DispatchSourceTimer)?

    deinit { stop() }

    func start(_ keycode: UInt16, flags: UInt64) {
        stop()
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + NSEvent.keyRepeatDelay, repeating: NSEvent.keyRepeatInterval)
        timer.setEventHandler { Self.post(keycode, flags) }
        timer.resume()
        self.timer = timer
    }

    func stop() {
        timer?.cancel()
        timer = nil
    }

    private static func post(_ keycode: UInt16, _ flags: UInt64) {
        let source = CGEventSource(stateID: .hidSystemState)
        let made = CGEvent(keyboardEventSource: source, virtualKey: keycode, keyDown: true)
        made?.flags = CGEventFlags(rawValue: flags)
        made?.setIntegerValueField(.keyboardEventAutorepeat, value: 1)
        made?.post(tap: .cghidEventTap)
    }
}
#endif
