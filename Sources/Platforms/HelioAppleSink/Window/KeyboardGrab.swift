#if canImport(AppKit)
internal import AppKit
internal import CoreGraphics
internal import Foundation

/// Grabs all keys before macOS handles them, by a tap on the session's events, which the person must allow Heliograph
/// in the settings of accessibility. Type-checked, not run.
@MainActor
final class KeyboardGrab {
    private let take: (NSEvent) -> Void
    private var port: CFMachPort?

    /// - Parameter take: called on the main thread with each grabbed key event.
    init(_ take: @escaping (NSEvent) -> Void) { self.take = take }

    /// Begins to grab the keys. False if macOS doesn't allow it.
    func begin() -> Bool {
        guard port == nil else { return true }
        let keys: [CGEventType] = [.keyDown, .keyUp, .flagsChanged]
        let mask = keys.reduce(CGEventMask(0)) { $0 | 1 << CGEventMask($1.rawValue) }
        port = CGEvent.tapCreate(
            tap: .cgSessionEventTap, place: .headInsertEventTap, options: .defaultTap, eventsOfInterest: mask,
            callback: Self.callback, userInfo: Unmanaged.passUnretained(self).toOpaque())
        guard let port else { return false }
        CFRunLoopAddSource(CFRunLoopGetMain(), CFMachPortCreateRunLoopSource(nil, port, 0), .commonModes)
        return true
    }

    func end() {
        if let port { CFMachPortInvalidate(port) }
        port = nil
    }

    isolated deinit { end() }

    /// Called on the main thread, whose run loop has the tap.
    private static var callback: CGEventTapCallBack {
        { _, type, event, context in
            guard let context else { return Unmanaged.passUnretained(event) }
            nonisolated(unsafe) let (hidden, grab) = (event, context)
            let isTaken = MainActor.assumeIsolated {
                Unmanaged<KeyboardGrab>.fromOpaque(grab).takeUnretainedValue().hear(type, hidden)
            }
            return isTaken ? nil : Unmanaged.passUnretained(event)
        }
    }

    /// Handles an event. Returns true if the event must go no further.
    private func hear(_ type: CGEventType, _ event: CGEvent) -> Bool {
        switch type {
        case .tapDisabledByTimeout, .tapDisabledByUserInput:
            if let port { CGEvent.tapEnable(tap: port, enable: true) }
            return false
        default:
            guard let key = NSEvent(cgEvent: event) else { return false }
            take(key)
            return true
        }
    }
}
#endif
