import CXCB
import HelioCore

/// A program's request for what is offered: for one target, or for several at once (MULTIPLE).
struct SelectionRequest {
    /// One target of it.
    struct Part {
        enum State {
            /// The other machine has been asked.
            case waiting(PasteID)
            /// The program takes it in pieces: so many bytes are written.
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
    /// True once the program was told that it is there.
    var isAnswered = false
}
