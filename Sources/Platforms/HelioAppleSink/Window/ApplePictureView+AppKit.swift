#if canImport(AppKit)
package import AppKit
internal import Foundation
internal import HelioAppleMedia
internal import HelioCore
internal import QuartzCore

/// An AppKit view that shows pictures by Metal and passes key and pointer events to the model. An app may use it in any
/// of its windows. It is only type-checked; no test runs it.
package final class ApplePictureView: NSView {
    /// Called when the model has events.
    package var onEvents: (() -> Void)?
    private var opened: Opened?
    private let effects = AppleViewEffects()
    private let labels = AppleLabels()
    private let pointerHold = PointerHold()
    private lazy var keyboardGrab = KeyboardGrab { [weak self] in self?.take($0) }

    /// The state while a session shows its pictures in this view.
    private struct Opened {
        let surface: AppleSurface
        let model: WindowModel<AppleSurface>
        let picture: AppleLayerView
    }

    package override init(frame frameRect: NSRect) {
        super.init(frame: frameRect)
        effects.view = self
        addTrackingArea(
            NSTrackingArea(
                rect: .zero, options: [.mouseMoved, .mouseEnteredAndExited, .activeInKeyWindow, .inVisibleRect],
                owner: self, userInfo: nil))
    }

    package required init?(coder: NSCoder) { nil }

    /// Prepares the view to show pictures; `nil` if Metal is not available.
    func open(_ options: WindowOptions) -> (any AppleWindowPlace)? {
        guard let surface = AppleSurface() else { return nil }
        let model = WindowModel(surface: surface, host: effects, options: options)
        surface.onRefresh = { [weak model] target, shown in model?.presenter.tick(target, shown: shown) }
        let picture = AppleLayerView(surface)
        addSubview(picture)
        opened = Opened(surface: surface, model: model, picture: picture)
        fit()
        model.begin(options)
        return AppleViewPlace(view: self, model: model)
    }

    /// Sets the layer's size to the view's size in pixels.
    private func fit() {
        guard let opened else { return }
        let scale = window?.backingScaleFactor ?? 1
        opened.picture.frame = bounds
        opened.surface.layer.contentsScale = scale
        opened.surface.layer.drawableSize = CGSize(width: bounds.width * scale, height: bounds.height * scale)
        opened.model.resized()
        labels.place(in: self)
        onEvents?()
    }

    func show(_ texts: WindowTexts) { labels.show(texts, in: self) }

    func show(_ pointer: PointerOverlay.Local) {
        opened?.picture.cursor = pointer.cursor(scale: window?.backingScaleFactor ?? 1)
    }

    func setPointerLocked(_ isOn: Bool) { pointerHold.set(isOn, over: self) }
    func setGrabsKeyboard(_ isOn: Bool) {
        if !isOn { return keyboardGrab.end() }
        if !keyboardGrab.begin() { opened?.model.keyboardGrabRefused() }
    }

    private func take(_ event: NSEvent) {
        guard let model = opened?.model else { return }
        let reader = AppleEventReader(model: model, view: self)
        if !reader.takeKey(event) { reader.takePointer(event) }
        onEvents?()
    }

    package override var acceptsFirstResponder: Bool { true }
    package override func becomeFirstResponder() -> Bool {
        opened?.model.focusGained()
        onEvents?()
        return true
    }
    package override func resignFirstResponder() -> Bool {
        opened?.model.focusLost()
        onEvents?()
        return true
    }

    package override func layout() {
        super.layout()
        fit()
    }
    package override func viewDidChangeBackingProperties() { fit() }
    /// Takes the keyboard; in no window any more, as when the session has ended, lets go of pointer and keys.
    package override func viewDidMoveToWindow() {
        if let window { _ = window.makeFirstResponder(self) } else { opened?.model.focusLost() }
    }

    package override func keyDown(with event: NSEvent) { take(event) }
    package override func keyUp(with event: NSEvent) { take(event) }
    /// Takes keys with Command for the host, which would otherwise act on this app's menu, as Command-Q does.
    package override func performKeyEquivalent(with event: NSEvent) -> Bool {
        let flags = ModifierFlags(rawValue: UInt64(event.modifierFlags.rawValue))
        guard let opened, window?.firstResponder === self, event.type == .keyDown,
            opened.model.input.takesEquivalent(code: event.keyCode, flags: flags)
        else { return super.performKeyEquivalent(with: event) }
        take(event)
        return true
    }
    package override func flagsChanged(with event: NSEvent) { take(event) }
    package override func mouseDown(with event: NSEvent) { take(event) }
    package override func mouseUp(with event: NSEvent) { take(event) }
    package override func mouseDragged(with event: NSEvent) { take(event) }
    package override func mouseMoved(with event: NSEvent) { take(event) }
    package override func mouseExited(with event: NSEvent) { take(event) }
    package override func rightMouseDown(with event: NSEvent) { take(event) }
    package override func rightMouseUp(with event: NSEvent) { take(event) }
    package override func rightMouseDragged(with event: NSEvent) { take(event) }
    package override func otherMouseDown(with event: NSEvent) { take(event) }
    package override func otherMouseUp(with event: NSEvent) { take(event) }
    package override func otherMouseDragged(with event: NSEvent) { take(event) }
    package override func scrollWheel(with event: NSEvent) { take(event) }
}
#endif
