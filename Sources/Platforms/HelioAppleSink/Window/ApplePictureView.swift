#if canImport(UIKit)
internal import Foundation
package import HelioAppleMedia
package import HelioCore
internal import QuartzCore
package import UIKit

/// A view of UIKit that shows pictures by Metal and tells the touches on it, for an app to put where it likes. Type-checked,
/// not run.
package final class ApplePictureView: UIView {
    /// The model, which the app gives pictures and asks for events; `nil` where there is no Metal.
    package private(set) var model: WindowModel<AppleSurface>?
    /// Called when the model has events.
    package var onEvents: (() -> Void)?
    private let surface = AppleSurface()

    /// - Parameter host: what the app does when the model says so; kept by the app.
    package init(host: any WindowHosting, options: WindowOptions) {
        super.init(frame: CGRect(x: 0, y: 0, width: options.size.width, height: options.size.height))
        isMultipleTouchEnabled = true
        guard let surface else { return }
        let model = WindowModel(surface: surface, host: host, options: options)
        surface.onRefresh = { [weak model] target, shown in model?.presenter.tick(target, shown: shown) }
        layer.addSublayer(surface.layer)
        self.model = model
    }

    package required init?(coder: NSCoder) { nil }

    package override func layoutSubviews() {
        guard let surface else { return }
        surface.layer.frame = bounds
        surface.layer.contentsScale = contentScaleFactor
        surface.layer.drawableSize = CGSize(
            width: bounds.width * contentScaleFactor, height: bounds.height * contentScaleFactor)
        model?.resized()
    }

    package override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { take(touches, event, .down) }
    package override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { take(touches, event, .move) }
    package override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { take(touches, event, .up) }
    package override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        take(touches, event, .cancelled)
    }

    private func take(_ touches: Set<UITouch>, _ event: UIEvent?, _ phase: WindowTouchPhase) {
        guard let model else { return }
        let shape = ViewShape(height: Double(bounds.height), isFlipped: true, scale: Double(contentScaleFactor))
        for touch in touches {
            let samples = (event?.coalescedTouches(for: touch) ?? [touch]).map { sample(of: $0) }
            let id = Int(bitPattern: ObjectIdentifier(touch))
            model.take(model.input.touch(phase, id: id, samples: samples, of: shape, in: model.layout))
        }
        onEvents?()
    }

    private func sample(of touch: UITouch) -> TouchSample {
        let point = touch.preciseLocation(in: self)
        return TouchSample(
            point: ViewPoint(x: Double(point.x), y: Double(point.y)), force: Double(touch.force),
            mostForce: Double(touch.maximumPossibleForce))
    }
}
#endif
