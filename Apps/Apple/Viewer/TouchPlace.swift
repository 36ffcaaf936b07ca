#if canImport(UIKit)
import CoreGraphics
import HelioViewerFlow
import UIKit

/// The picture with touch handling: fingers act as on a trackpad; Pencil, mouse and keys are passed to the picture.
/// Shows the touch keyboard on request.
final class TouchPlace: UIView, UIKeyInput {
    private let flow: ViewerFlow
    private let session: SystemSession
    private let picture: UIView
    private let pad: TouchPad
    private var alarm: Task<Void, Never>?

    init(flow: ViewerFlow, session: SystemSession, pad: TouchPad) {
        self.flow = flow
        self.session = session
        picture = session.view
        self.pad = pad
        super.init(frame: .zero)
        isMultipleTouchEnabled = true
        clipsToBounds = true
        isAccessibilityElement = true
        accessibilityTraits = [.image, .allowsDirectInteraction]
        addSubview(picture)
        pad.onChange = { [weak self] in self?.changed() }
    }

    required init?(coder: NSCoder) { nil }

    /// Moves the picture's hover and scroll recognizers to this view while it is shown, because hit testing never
    /// reaches the picture below.
    override func didMoveToWindow() {
        let (from, to): (UIView, UIView) = window == nil ? (self, picture) : (picture, self)
        for recognizer in from.gestureRecognizers ?? [] { to.addGestureRecognizer(recognizer) }
    }

    override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? { bounds.contains(point) ? self : nil }

    override func layoutSubviews() {
        picture.frame = bounds
        pad.resize(width: Double(bounds.width), height: Double(bounds.height))
    }

    private func changed() {
        session.zoom(by: pad.zoom, dx: pad.offset.x, dy: pad.offset.y)
        alarm?.cancel()
        guard let wait = pad.timeToTick else { return }
        alarm = Task { [weak self] in
            try? await Task.sleep(for: wait)
            if !Task.isCancelled { self?.pad.tick() }
        }
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        take(touches, .down)
        picture.touchesBegan(tools(touches), with: event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        take(touches, .move)
        picture.touchesMoved(tools(touches), with: event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        take(touches, .up)
        picture.touchesEnded(tools(touches), with: event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        take(touches, .cancelled)
        picture.touchesCancelled(tools(touches), with: event)
    }

    private func take(_ touches: Set<UITouch>, _ phase: TouchPad.Phase) {
        for touch in touches where touch.type == .direct {
            let point = touch.location(in: self)
            pad.touch(phase, id: Int(bitPattern: ObjectIdentifier(touch)), x: Double(point.x), y: Double(point.y))
        }
    }

    private func tools(_ touches: Set<UITouch>) -> Set<UITouch> { touches.filter { $0.type != .direct } }

    // MARK: The touch keyboard

    /// Without the touch keyboard, the picture is first responder, so that it gets a hardware keyboard's keys.
    func showKeyboard(_ isWanted: Bool) {
        guard isWanted != isFirstResponder else { return }
        _ = isWanted ? becomeFirstResponder() : picture.becomeFirstResponder()
    }

    override var canBecomeFirstResponder: Bool { true }
    var hasText: Bool { true }
    func insertText(_ text: String) { flow.type(text) }
    func deleteBackward() { flow.deleteBackward() }
}
#endif
