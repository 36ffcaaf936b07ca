import CXCB
import Glibc

/// The effective modifiers at the X server that select a key's character, and the active layout.
struct KeyboardState: Equatable {
    var isShifted = false
    /// True while AltGr, or another key that selects the third level, is in effect.
    var isLevel3 = false
    var hasCapsLock = false
    /// The active layout's index (XKB group), from 0.
    var group = 0

    /// Queries the server, which handles all earlier requests first.
    ///
    /// - Parameter level3: the modifier mask of the key that selects the third level, such as AltGr.
    static func now(_ x: X11Connection, hasXKB: Bool, level3: UInt8) -> KeyboardState {
        var state = helio_xkb_state()
        if !hasXKB || helio_xkb_get_state(x.raw, &state) == 0 {
            let reply = try? x.reply { xcb_query_pointer_reply(x.raw, xcb_query_pointer(x.raw, x.root), $0) }
            guard let reply else { return KeyboardState() }
            state.modifiers = UInt8(reply.pointee.mask & 0xFF)
            state.group = UInt8(reply.pointee.mask >> 13 & 3)
            free(reply)
        }
        return KeyboardState(
            isShifted: state.modifiers & 1 != 0, isLevel3: state.modifiers & level3 != 0,
            hasCapsLock: state.modifiers & 2 != 0, group: Int(state.group))
    }
}
