import CXCB
import HelioCore

/// A program's request for the offered content, for one target or for several (MULTIPLE).
struct SelectionRequest {
    /// A target of the request, with the property for its content.
    struct Part {
        enum State {
            /// The content was requested from the other machine, and has not arrived yet.
            case waiting(PasteID)
            /// The content is sent in chunks (INCR); the first `written` bytes are written.
            case pieces([UInt8], written: Int)
            case done
            case refused
        }

        let target: xcb_atom_t
        let property: xcb_atom_t
        var state: State

        var isWaiting: Bool { if case .waiting = state { true } else { false } }
        var isOver: Bool {
            switch state {
            case .waiting, .pieces: false
            case .done, .refused: true
            }
        }
    }

    let event: xcb_selection_request_event_t
    let isMultiple: Bool
    var parts: [Part]
    var lastProgress: Instant
    /// True once SelectionNotify was sent to the program.
    var isAnswered = false
}
