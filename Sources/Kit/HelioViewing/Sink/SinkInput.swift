internal import HelioControlWire
internal import HelioCore
internal import HelioRemote

/// What the person at a sink does, for the host. Places are normalised: 0,0 is the picture's top left corner, 1,1 its
/// bottom right one.
public enum SinkInput: Sendable, Hashable {
    /// A pointer's buttons.
    public enum Button: Sendable, Hashable, CaseIterable {
        /// As on a mouse for the right hand.
        case left, middle, right, back, forward
    }

    /// What a finger or a pen does.
    public enum TouchPhase: Sendable, Hashable, CaseIterable {
        /// It touches the screen.
        case down
        case move
        /// It leaves the screen.
        case up
        /// The system has taken it away: what it did so far is to come to nothing.
        case cancelled
    }

    /// The pointer is there now. Of many moves only the newest counts.
    case pointerMoved(x: Double, y: Double)
    /// The pointer was moved by so many counts, to the right and down.
    case pointerMovedBy(dx: Int, dy: Int)
    /// A button went down or up there.
    case button(Button, isDown: Bool, x: Double, y: Double)
    /// The wheel, in detents times 120: positive y is up, positive x right.
    case scrolled(dx: Int, dy: Int)
    /// One finger or pen touches the picture there; pressure is 0 ... 1. Of many moves only the newest counts. A host
    /// that shares its screen takes it for the pointer and its left button.
    case touch(TouchPhase, x: Double, y: Double, pressure: Double)
    /// A key by its place: its USB HID usage, page 7.
    case key(usage: UInt16, isDown: Bool)
    /// Text, whatever the host's layout.
    case text(String)
    /// Nothing stays down: the person has gone elsewhere.
    case releaseAll
    /// The person would like to drive: whoever does is asked (`MirrorSink.Event.driver`). Where nobody drives, this
    /// sink does from now on.
    case requestControl
    /// The person lets others drive: who asked for it (`MirrorSink.Event.controlRequested`), or whoever acts next.
    /// Nothing stays down.
    case handOver

    var event: InputEvent {
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
