import CXCB
import HelioCore

/// A request to the program that owns the selection, for its formats or for content.
struct SelectionRead {
    enum Purpose {
        /// The list of targets (TARGETS): the formats in which the program provides its content.
        case targets
        /// The property by which a password manager marks a copy as secret.
        case passwordHint
        case content(ClipboardReadID, ClipboardFormat)
    }

    let purpose: Purpose
    let target: xcb_atom_t
    /// The maximum size of the answer, in bytes.
    let limit: Int
    private(set) var begun = Instant.zero
    var lastProgress = Instant.zero
    /// The window that gets the answer: a new window for each read, so that a late answer is not taken for the answer
    /// to a later read. `nil` until the request is sent.
    private(set) var window: xcb_window_t?
    /// True once the program has announced an INCR transfer, in chunks (ICCCM).
    var isIncremental = false
    var bytes: [UInt8] = []

    init(_ purpose: Purpose, target: xcb_atom_t, limit: Int) {
        self.purpose = purpose
        self.target = target
        self.limit = limit
    }

    mutating func begin(_ window: xcb_window_t, now: Instant) {
        self.window = window
        begun = now
        lastProgress = now
    }
}
