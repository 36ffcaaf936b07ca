internal import HelioControlWire
internal import HelioCore
package import HelioRemote

/// User input at a sink, for the host. Positions are normalised: 0,0 is the picture's top left corner, 1,1 its bottom
/// right corner.
public enum SinkInput: Sendable, Hashable {
    /// A button of the pointer.
    public enum Button: Sendable, Hashable, CaseIterable {
        /// The buttons of a right-handed mouse.
        case left, middle, right, back, forward
    }

    /// The phase of a touch by a finger or a pen.
    public enum TouchPhase: Sendable, Hashable, CaseIterable {
        /// The touch begins.
        case down
        case move
        /// The touch ends.
        case up
        /// The system has cancelled the touch: the touch's effect so far has to be undone.
        case cancelled
    }

    /// The pointer moved to this position. A newer move replaces older ones that have not been sent.
    case pointerMoved(x: Double, y: Double)
    /// The pointer moved relatively, in device counts; positive values are right and down.
    case pointerMovedBy(dx: Int, dy: Int)
    /// A button went down or up at this position.
    case button(Button, isDown: Bool, x: Double, y: Double)
    /// The wheel was turned, in units of 1/120 of a detent: positive y is up, positive x right.
    case scrolled(dx: Int, dy: Int)
    /// A finger or a pen touches the picture at this position; pressure is 0 to 1. A newer move replaces older ones
    /// that have not been sent. A host that shares its screen treats the touch as the pointer with its left button.
    case touch(TouchPhase, x: Double, y: Double, pressure: Double)
    /// A key went down or up, identified by its position: its USB HID usage, page 7.
    case key(usage: UInt16, isDown: Bool)
    /// Text was typed, independent of the host's keyboard layout.
    case text(String)
    /// All keys and buttons have to be released, because the user's focus has moved elsewhere.
    case releaseAll
    /// The user asks to drive. If another viewer drives (`MirrorSink.Event.driver`), the host asks that viewer; if
    /// nobody drives, this sink becomes the driver.
    case requestControl
    /// The user hands over control to the viewer that asked for it (`MirrorSink.Event.controlRequested`), or else to
    /// the next viewer that sends input. All keys and buttons are released.
    case handOver

    package var event: InputEvent {
        switch self {
        case .pointerMoved(let x, let y): .pointerMove(x: Float(x), y: Float(y))
        case .pointerMovedBy(let dx, let dy): .relativeMove(dx: dx, dy: dy)
        case .button(let button, let isDown, let x, let y):
            .button(button.pointerButton, isDown: isDown, x: Float(x), y: Float(y))
        case .touch(let phase, let x, let y, let pressure):
            .touch(phase.wire, x: Float(x), y: Float(y), pressure: Float(pressure))
        case .scrolled(let dx, let dy): .scroll(dx: dx, dy: dy)
        case .key(let usage, let isDown): .key(usage: usage, modifiers: [], isDown: isDown)
        case .text(let text): .text(text)
        case .releaseAll: .releaseAll
        case .requestControl: .requestControl
        case .handOver: .handOver
        }
    }
}

extension SinkInput.TouchPhase {
    fileprivate var wire: HelioControlWire.TouchPhase {
        switch self {
        case .down: .down
        case .move: .move
        case .up: .up
        case .cancelled: .cancelled
        }
    }
}

extension SinkInput.Button {
    fileprivate var pointerButton: PointerButton {
        switch self {
        case .left: .left
        case .middle: .middle
        case .right: .right
        case .back: .back
        case .forward: .forward
        }
    }
}
