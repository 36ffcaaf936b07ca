#if canImport(ScreenCaptureKit)
import CoreGraphics
import HelioAppleMedia
import HelioCore

extension MacPointerEvent.Kind {
    /// CoreGraphics's type of the event.
    var type: CGEventType {
        switch self {
        case .moved: .mouseMoved
        case .down(.left): .leftMouseDown
        case .down(.right): .rightMouseDown
        case .down: .otherMouseDown
        case .up(.left): .leftMouseUp
        case .up(.right): .rightMouseUp
        case .up: .otherMouseUp
        case .dragged(.left): .leftMouseDragged
        case .dragged(.right): .rightMouseDragged
        case .dragged: .otherMouseDragged
        }
    }

    /// The number of the button: left 0, right 1, middle 2, back 3, forward 4.
    var number: Int64 {
        switch self {
        case .moved, .down(.left), .up(.left), .dragged(.left): 0
        case .down(.right), .up(.right), .dragged(.right): 1
        case .down(.middle), .up(.middle), .dragged(.middle): 2
        case .down(.back), .up(.back), .dragged(.back): 3
        case .down(.forward), .up(.forward), .dragged(.forward): 4
        }
    }

    /// The button for `CGEvent`'s initialiser, which has only three; `number` is set afterwards for the others.
    var button: CGMouseButton {
        switch number {
        case 0: .left
        case 1: .right
        default: .center
        }
    }
}
#endif
