#if canImport(UIKit)
package import Foundation
internal import HelioAppleMedia
internal import HelioCore
internal import QuartzCore
package import UIKit

/// A UIKit view that shows pictures by Metal and passes touches and keys to the model. An app may use it in any of its
/// windows. It is only type-checked; no test runs it.
package final class ApplePictureView: UIView {
    /// Called when the model has events.
    package var onEvents: (() -> Void)?
    private var opened: Opened?
    private let effects = AppleViewEffects()
    private let labels = AppleLabels()
    private let hovering = GestureAction()
    private let scrolling = GestureAction()

    /// The state while a session shows its pictures in this view.
    private struct Opened {
        let surface: AppleSurface
        let model: WindowModel<AppleSurface>
    }

    package override init(frame: CGRect) {
        super.init(frame: frame)
        isMultipleTouchEnabled = true
        effects.view = self
        listen()
    }

    package required init?(coder: NSCoder) { nil }

    /// Prepares the view to show pictures; `nil` if Metal is not available.
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
        labels.place(in: self)
    }

    /// Magnifies the picture about the view's centre, and moves it, in points.
    package func zoom(by scale: Double, dx: Double, dy: Double) {
        let points = Double(contentScaleFactor)
        opened?.model.setZoom(ViewZoom(scale: scale, dx: dx * points, dy: dy * points))
    }

    package override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { take(touches, event, .down) }
    package override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) { take(touches, event, .move) }
    package override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { take(touches, event, .up) }
    package override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        take(touches, event, .cancelled)
    }

    package override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        read { $0.take(presses, isDown: true) }
    }
    package override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        read { $0.take(presses, isDown: false) }
    }
    package override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        read { $0.take(presses, isDown: false) }
    }

    private func take(_ touches: Set<UITouch>, _ event: UIEvent?, _ phase: WindowTouchPhase) {
        read { $0.take(touches, event, phase) }
    }

    private func read(_ body: (UIKitReader) -> Void) {
        guard let model = opened?.model else { return }
        body(UIKitReader(model: model, view: self))
        onEvents?()
    }

    /// Adds gesture recognizers for hovering and scrolling with a trackpad or mouse.
    private func listen() {
        let hover = UIHoverGestureRecognizer(target: hovering, action: GestureAction.action)
        hovering.body = { [weak self, weak hover] in if let hover { self?.read { $0.take(hover) } } }
        addGestureRecognizer(hover)
        let scroll = UIPanGestureRecognizer(target: scrolling, action: GestureAction.action)
        scroll.allowedScrollTypesMask = .all
        // Exclude touches on the screen, which are handled separately.
        scroll.allowedTouchTypes = []
        scrolling.body = { [weak self, weak scroll] in if let scroll { self?.read { $0.take(scroll) } } }
        addGestureRecognizer(scroll)
    }

    // MARK: Focus

    package override var canBecomeFirstResponder: Bool { true }
    package override func didMoveToWindow() { if window != nil { _ = becomeFirstResponder() } }
    package override func becomeFirstResponder() -> Bool {
        let hasFocus = super.becomeFirstResponder()
        if hasFocus { opened?.model.focusGained() }
        onEvents?()
        return hasFocus
    }
    package override func resignFirstResponder() -> Bool {
        opened?.model.focusLost()
        onEvents?()
        return super.resignFirstResponder()
    }

    // MARK: Requests of the model

    func show(_ texts: WindowTexts) { labels.show(texts, in: self) }
    // The following three methods do nothing: iPadOS draws its own pointer, lets only view controllers lock it, and
    // does not pass on its own key combinations.
    func show(_ pointer: PointerOverlay.Local) {}
    func setPointerLocked(_ isOn: Bool) {}
    func setGrabsKeyboard(_ isOn: Bool) {}
}
#endif
