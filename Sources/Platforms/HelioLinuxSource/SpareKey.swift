import CXCB

/// A key without a meaning, or with just a multimedia one, that is lent to two characters.
struct SpareKey {
    var keycode: UInt8
    /// The key's earlier meaning.
    var original: [xcb_keysym_t]
    /// The bound characters, plain and with shift; 0: none yet.
    var bound: [xcb_keysym_t] = [0, 0]
    /// The time of each one's last use: greater is later, 0 is never.
    var lastUse = [0, 0]

    /// Makes a spare key; `nil` where the key's meaning is of use.
    init?(keycode: UInt8, keysyms: ArraySlice<xcb_keysym_t>) {
        guard keysyms.allSatisfy({ $0 == 0 || (0x1008_FF00...0x1008_FFFF).contains($0) }) else { return nil }
        self.keycode = keycode
        original = Array(keysyms)
    }

    var wasEmpty: Bool { original.allSatisfy { $0 == 0 } }
    /// The key's first two columns now: the shifted one means the same as the plain one until it is needed, so that a
    /// held shift does not matter.
    var columns: [xcb_keysym_t] { [bound[0], bound[1] == 0 ? bound[0] : bound[1]] }
}
