#if canImport(UIKit)
internal import Foundation
internal import HelioAppleMedia
internal import HelioCore
internal import UIKit

/// Converts a view's UIKit events to calls of a model. It is only type-checked; no test runs it.
@MainActor
struct UIKitReader {
    let model: WindowModel<AppleSurface>
    let view: UIView

    func take(_ touches: Set<UITouch>, _ event: UIEvent?, _ phase: WindowTouchPhase) {
        for touch in touches {
            if touch.type == .indirectPointer { takePointer(touch, event, phase) } else { take(touch, event, phase) }
        }
    }

    /// Handles a touch by finger or Pencil, with all samples since the last event.
    private func take(_ touch: UITouch, _ event: UIEvent?, _ phase: WindowTouchPhase) {
        let samples = (event?.coalescedTouches(for: touch) ?? [touch]).map { sample(of: $0) }
        let id = Int(bitPattern: ObjectIdentifier(touch))
        model.take(
            model.input.touch(
                phase, id: id, samples: samples, isPen: touch.type == .pencil, of: shape, in: model.layout))
    }

    /// Handles a mouse or trackpad while a button is down.
    private func takePointer(_ touch: UITouch, _ event: UIEvent?, _ phase: WindowTouchPhase) {
        guard let place = place(touch.preciseLocation(in: view)) else { return }
        let isOver = phase == .up || phase == .cancelled
        model.take(
            model.input.pointer(at: place, buttons: isOver ? 0 : event?.buttonMask.rawValue ?? 1, in: model.layout))
    }

    func take(_ presses: Set<UIPress>, isDown: Bool) {
        for key in presses.compactMap(\.key) {
            model.take(
                model.input.key(
                    usage: UInt16(clamping: key.keyCode.rawValue), isDown: isDown, characters: key.characters))
        }
    }

    /// Handles a mouse or trackpad while no button is down.
    func take(_ hover: UIHoverGestureRecognizer) {
        guard hover.state == .began || hover.state == .changed, let place = place(hover.location(in: view)) else {
            return model.input.pointerLeft()
        }
        model.take(model.input.pointerMoved(to: place, in: model.layout))
    }

    /// Handles scrolling with two fingers on a trackpad, or with a wheel.
    func take(_ scroll: UIPanGestureRecognizer) {
        let moved = scroll.translation(in: view)
        scroll.setTranslation(CGPoint(x: 0, y: 0), in: view)
        model.take(
            model.input.scrolled(dx: Double(moved.x), dy: Double(moved.y), isPrecise: true, in: model.layout))
    }

    private var shape: ViewShape {
        ViewShape(height: Double(view.bounds.size.height), isFlipped: true, scale: Double(view.contentScaleFactor))
    }

    private func place(_ point: CGPoint) -> (x: Int, y: Int)? {
        shape.pixel(ViewPoint(x: Double(point.x), y: Double(point.y)))
    }

    private func sample(of touch: UITouch) -> TouchSample {
        let point = touch.preciseLocation(in: view)
        return TouchSample(
            point: ViewPoint(x: Double(point.x), y: Double(point.y)), force: Double(touch.force),
            mostForce: Double(touch.maximumPossibleForce))
    }
}
#endif
