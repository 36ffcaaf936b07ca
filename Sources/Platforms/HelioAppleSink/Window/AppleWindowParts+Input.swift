#if canImport(AppKit)
internal import AppKit
internal import Foundation
internal import HelioAppleMedia
internal import HelioCore

extension AppleWindowParts {
    /// Takes an event of AppKit's: what is for the host goes to the model, all but keys on to AppKit as well.
    func take(_ event: NSEvent) {
        switch event.type {
        case .applicationDefined: return model.take([.woken])
        case .keyDown, .keyUp:
            return model.take(
                model.input.key(
                    code: event.keyCode, isDown: event.type == .keyDown,
                    isRepeat: event.type == .keyDown && event.isARepeat, characters: event.characters ?? ""))
        case .flagsChanged:
            return model.take(
                model.input.modifiersChanged(
                    code: event.keyCode, flags: ModifierFlags(rawValue: UInt64(event.modifierFlags.rawValue))))
        case .mouseExited: model.input.pointerLeft()
        default: takePointer(event)
        }
        NSApplication.shared.sendEvent(event)
    }

    private func takePointer(_ event: NSEvent) {
        guard event.window === window, let place = place(of: event) else { return }
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
                event.buttonNumber, isDown: isDown, at: place, pressure: Double(event.pressure), in: model.layout))
    }

    private func move(_ event: NSEvent, _ place: (x: Int, y: Int)) {
        if model.input.isPointerLocked {
            return model.take(model.input.pointerMoved(byX: Double(event.deltaX), y: Double(event.deltaY)))
        }
        if event.type == .mouseMoved { return model.take(model.input.pointerMoved(to: place, in: model.layout)) }
        model.take(
            model.input.dragged(event.buttonNumber, to: place, pressure: Double(event.pressure), in: model.layout))
    }

    /// The pixel of the view, from its top left.
    private func place(of event: NSEvent) -> (x: Int, y: Int)? {
        let point = view.convert(event.locationInWindow, from: nil)
        let shape = ViewShape(
            height: Double(view.bounds.height), isFlipped: view.isFlipped, scale: Double(window.backingScaleFactor))
        return shape.pixel(ViewPoint(x: Double(point.x), y: Double(point.y)))
    }
}
#endif
