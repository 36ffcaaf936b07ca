#if canImport(AppKit)
internal import AppKit
internal import Foundation
internal import HelioAppleMedia
internal import HelioCore

/// Converts a view's AppKit events to calls of a model; the view is in an `AppleWindow` or in an app's window. It is
/// only type-checked; no test runs it.
@MainActor
struct AppleEventReader {
    let model: WindowModel<AppleSurface>
    let view: NSView

    /// Handles a key event; returns false for any other event.
    func takeKey(_ event: NSEvent) -> Bool {
        switch event.type {
        case .keyDown, .keyUp:
            model.take(
                model.input.key(
                    code: event.keyCode, isDown: event.type == .keyDown,
                    isRepeat: event.type == .keyDown && event.isARepeat, characters: event.characters ?? ""))
        case .flagsChanged:
            model.take(
                model.input.modifiersChanged(
                    code: event.keyCode, flags: ModifierFlags(rawValue: UInt64(event.modifierFlags.rawValue))))
        default: return false
        }
        return true
    }

    /// Handles a press, release, move, drag, scroll or exit of the mouse; ignores events of other windows.
    func takePointer(_ event: NSEvent) {
        if event.type == .mouseExited { return model.input.pointerLeft() }
        guard event.window === view.window, let place = place(of: event) else { return }
        let layout = model.layout
        switch event.type {
        case .leftMouseDown, .rightMouseDown, .otherMouseDown: press(event, isDown: true, place)
        case .leftMouseUp, .rightMouseUp, .otherMouseUp: press(event, isDown: false, place)
        case .mouseMoved, .leftMouseDragged, .rightMouseDragged, .otherMouseDragged: move(event, place)
        case .scrollWheel:
            model.take(
                model.input.scrolled(
                    dx: Double(event.scrollingDeltaX), dy: Double(event.scrollingDeltaY),
                    isPrecise: event.hasPreciseScrollingDeltas, in: layout))
        default: break
        }
    }

    private func press(_ event: NSEvent, isDown: Bool, _ place: (x: Int, y: Int)) {
        model.take(
            model.input.button(
                event.buttonNumber, isDown: isDown, at: place, pressure: Double(event.pressure),
                isPen: event.subtype == .tabletPoint, in: model.layout))
    }

    private func move(_ event: NSEvent, _ place: (x: Int, y: Int)) {
        if model.input.isPointerLocked {
            return model.take(model.input.pointerMoved(byX: Double(event.deltaX), y: Double(event.deltaY)))
        }
        if event.type == .mouseMoved { return model.take(model.input.pointerMoved(to: place, in: model.layout)) }
        model.take(
            model.input.dragged(event.buttonNumber, to: place, pressure: Double(event.pressure), in: model.layout))
    }

    /// Returns the event's pixel in the view, from the top left; `nil` if the location is not finite.
    private func place(of event: NSEvent) -> (x: Int, y: Int)? {
        let point = view.convert(event.locationInWindow, from: nil)
        let shape = ViewShape(
            height: Double(view.bounds.height), isFlipped: view.isFlipped,
            scale: Double(view.window?.backingScaleFactor ?? 1))
        return shape.pixel(ViewPoint(x: Double(point.x), y: Double(point.y)))
    }
}
#endif
