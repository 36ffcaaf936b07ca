import CXCB
import HelioCore

/// One request to the program that has copied: for its formats, or for content.
struct SelectionRead {
    enum Purpose {
        /// The list of targets (TARGETS): the formats in which the program provides its content.
        case targets
        /// A password manager's mark for secrets.
        case passwordHint
        case content(ClipboardReadID, ClipboardFormat)
    }

    let purpose: Purpose
    let target: xcb_atom_t
    /// The most bytes that are accepted.
    let limit: Int
    private(set) var begun = Instant.zero
    var lastProgress = Instant.zero
    /// The window that gets the answer: a new one for each read, so that a late answer is not taken for the next one.
    /// `nil` until the request is sent.
    private(set) var window: xcb_window_t?
    /// True once the program has announced that it sends content in pieces (ICCCM, INCR).
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
