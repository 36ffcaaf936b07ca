#if canImport(AppKit)
internal import AppKit
internal import CoreGraphics
internal import Foundation

/// Grabs all keys before macOS handles them, by an event tap, for which the user must grant Heliograph the
/// accessibility permission. It is only type-checked; no test runs it.
@MainActor
final class KeyboardGrab {
    private let take: (NSEvent) -> Void
    private var port: CFMachPort?

    /// - Parameter take: called on the main thread with each grabbed key event.
    init(_ take: @escaping (NSEvent) -> Void) { self.take = take }

    /// Starts to grab the keys. Returns false if macOS doesn't allow it.
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

    /// The tap's callback. It is called on the main thread, to whose run loop the tap was added.
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

    /// Handles an event. Returns true if macOS must not deliver the event.
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
