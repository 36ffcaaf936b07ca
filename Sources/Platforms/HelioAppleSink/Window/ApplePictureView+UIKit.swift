#if canImport(UIKit)
package import Foundation
internal import HelioAppleMedia
internal import HelioCore
internal import QuartzCore
package import UIKit

/// A view of UIKit that shows pictures by Metal and tells the touches on it, for an app to put where it likes. Type-checked,
/// not run.
package final class ApplePictureView: UIView {
    /// Called when the model has events.
    package var onEvents: (() -> Void)?
    private var opened: Opened?
    private let effects = AppleViewEffects()

    /// What there is once a session shows its pictures here.
    private struct Opened {
        let surface: AppleSurface
        let model: WindowModel<AppleSurface>
    }

    package override init(frame: CGRect) {
        super.init(frame: frame)
        isMultipleTouchEnabled = true
        effects.view = self
    }

    package required init?(coder: NSCoder) { nil }

    /// Begins to show pictures; `nil` where there is no Metal.
    func open(_ options: WindowOptions) -> (any AppleWindowPlace)? {
        guard let surface = AppleSurface() else { return nil }
        let model = WindowModel(surface: surface, host: effects, options: options)
        surface.onRefresh = { [weak model] target, shown in model?.presenter.tick(target, shown: shown) }
        layer.addSublayer(surface.layer)
        opened = Opened(surface: surface, model: model)
        fit(surface, model)
        model.begin(options)
        return AppleViewPlace(view: self, model: model)
    }

    package override func layoutSubviews() {
        guard let opened else { return }
        fit(opened.surface, opened.model)
    }

    private func fit(_ surface: AppleSurface, _ model: WindowModel<AppleSurface>) {
        surface.layer.frame = bounds
        surface.layer.contentsScale = contentScaleFactor
        surface.layer.drawableSize = CGSize(
            width: bounds.width * contentScaleFactor, height: bounds.height * contentScaleFactor)
        model.resized()
    }

    package override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { take(touches, event, .down) }
    package override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { take(touches, event, .move) }
    package override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { take(touches, event, .up) }
    package override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        take(touches, event, .cancelled)
    }

    private func take(_ touches: Set<UITouch>, _ event: UIEvent?, _ phase: WindowTouchPhase) {
        guard let model = opened?.model else { return }
        let shape = ViewShape(height: Double(bounds.height), isFlipped: true, scale: Double(contentScaleFactor))
        for touch in touches {
            let samples = (event?.coalescedTouches(for: touch) ?? [touch]).map { sample(of: $0) }
            let id = Int(bitPattern: ObjectIdentifier(touch))
            model.take(model.input.touch(phase, id: id, samples: samples, of: shape, in: model.layout))
        }
        onEvents?()
    }

    func show(_ texts: WindowTexts) {}
    func show(_ pointer: PointerOverlay.Local) {}
    func setPointerLocked(_ isOn: Bool) {}
    func setGrabsKeyboard(_ isOn: Bool) {}

    private func sample(of touch: UITouch) -> TouchSample {
        let point = touch.preciseLocation(in: self)
        return TouchSample(
            point: ViewPoint(x: Double(point.x), y: Double(point.y)), force: Double(touch.force),
            mostForce: Double(touch.maximumPossibleForce))
    }
}
#endif
