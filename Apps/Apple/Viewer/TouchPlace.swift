#if canImport(UIKit)
import CoreGraphics
import HelioViewerFlow
import UIKit

/// The picture with touch handling: fingers act as on a trackpad; Pencil, mouse and keys are passed to the picture.
/// Shows the touch keyboard on request; what that needs is in an extension.
final class TouchPlace: UIView {
    private let flow: ViewerFlow
    private let session: SystemSession
    private let picture: UIView
    private let pad: TouchPad
    private var alarm: Task<Void, Never>?

    /// The text that the keyboard sees.
    private(set) var typed = TypedText()
    weak var inputDelegate: (any UITextInputDelegate)?
    private(set) lazy var tokenizer: any UITextInputTokenizer = UITextInputStringTokenizer(textInput: self)
    var markedTextStyle: [NSAttributedString.Key: Any]?
    var selectedTextRange: UITextRange? {
        get { TextSpan(typed.count..<typed.count) }
        // The host's cursor can't be moved by the keyboard's trackpad.
        set {}
    }
    // A terminal wants what was typed, and no sentence's first letter.
    var autocapitalizationType = UITextAutocapitalizationType.none
    var smartQuotesType = UITextSmartQuotesType.no
    var smartDashesType = UITextSmartDashesType.no
    private let marking = UILabel(frame: .zero)

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
        marking.backgroundColor = .black
        marking.textColor = .white
        addSubview(marking)
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
        forgetText()
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

    /// Edits the text that the keyboard sees, and executes at the host what that says.
    func edit(_ body: (inout TypedText) -> [TypedText.Edit]) {
        for edit in body(&typed) {
            switch edit {
            case .type(let text): flow.type(text)
            case .delete(let count): for _ in 0..<count { flow.deleteBackward() }
            }
        }
        showMarked()
    }

    /// Forgets the text: after a click the host's cursor may be elsewhere.
    private func forgetText() {
        guard typed.count > 0 else { return }
        inputDelegate?.textWillChange(self)
        typed.reset()
        inputDelegate?.textDidChange(self)
        showMarked()
    }

    /// Shows what an input method has not typed yet, as the host can't.
    private func showMarked() {
        marking.text = typed.marked.map { typed.slice($0) }
        marking.isHidden = typed.marked == nil
        marking.sizeToFit()
        marking.frame.origin = CGPoint(x: 12, y: max(0, bounds.height - marking.frame.size.height - 12))
    }
}
#endif
