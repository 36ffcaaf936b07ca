import CXCB
import HelioCore

/// One question to the program that has copied: what it has, or for content.
struct SelectionRead {
    enum Purpose {
        /// The targets that the program has.
        case targets
        /// Whether it is a secret.
        case passwordHint
        case content(ClipboardReadID, ClipboardFormat)
    }

    let purpose: Purpose
    let target: xcb_atom_t
    /// The most bytes.
    let limit: Int
    private(set) var begun = Instant.zero
    var lastProgress = Instant.zero
    /// The window that the answer comes to: one of its own, so that an answer that comes too late is told from the next
    /// one. `nil` until it is asked.
    private(set) var window: xcb_window_t?
    /// True once content comes in pieces.
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
