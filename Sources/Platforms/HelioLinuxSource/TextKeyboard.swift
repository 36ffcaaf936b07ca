import CXCB
import Glibc
import HelioCore

/// Finds, or makes, a key for each character of a text.
///
/// A character that the present layout has with or without shift uses that key. Any other is bound to a
/// key that has no meaning yet. A client reads the new keymap only when it handles the `MappingNotify`,
/// maybe long after: so a binding stays, and of the spare keys the one used longest ago is taken. Both
/// shift levels get the character, so that held modifiers don't matter.
struct TextKeyboard {
    struct Stroke {
        var keycode: UInt8
        var needsShift: Bool
    }

    private(set) var shiftKey: UInt8 = 50
    private var lowest: UInt8 = 8
    private var perKey = 0
    private var keysyms: [xcb_keysym_t] = []
    private var isKnown = false
    /// Spare keys, the one used longest ago first, with what they mean now (0 = nothing).
    private var spare: [(keycode: UInt8, keysym: xcb_keysym_t)] = []
    /// Our own changes that the server will report back, and that are no reason to ask for its keymap.
    private var ownChanges = 0

    /// The server says that its keymap has changed.
    mutating func forget() {
        if ownChanges > 0 {
            ownChanges -= 1
        } else {
            isKnown = false
        }
    }

    /// Makes our keys meaningless again.
    mutating func unbindAll(_ x: X11Connection) {
        for entry in spare where entry.keysym != 0 { Self.bind(entry.keycode, to: 0, x) }
        spare.removeAll()
    }

    mutating func strokes(for text: String, _ x: X11Connection) -> [Stroke] {
        if !isKnown { learn(x) }
        guard isKnown else { return [] }
        let state = Self.state(x)
        var strokes: [Stroke] = []
        for scalar in text.unicodeScalars {
            guard let keysym = Self.keysym(scalar) else { continue }
            if let stroke = find(keysym, state) ?? makeKey(keysym, x) { strokes.append(stroke) }
        }
        return strokes
    }

    /// X11 protocol appendix A: Latin-1 is itself, the rest is 0x01000000 plus the code point.
    static func keysym(_ scalar: Unicode.Scalar) -> xcb_keysym_t? {
        switch scalar.value {
        case 0x0A, 0x0D: 0xFF0D
        case 0x09: 0xFF09
        case 0x08: 0xFF08
        case 0x1B: 0xFF1B
        case 0x7F: 0xFFFF
        case 0x20...0x7E, 0xA0...0xFF: scalar.value
        case 0..<0xA0: nil
        default: 0x0100_0000 | scalar.value
        }
    }

    private func find(_ keysym: xcb_keysym_t, _ state: (group: Int, hasCapsLock: Bool)) -> Stroke? {
        if let bound = spare.first(where: { $0.keysym == keysym }) {
            return Stroke(keycode: bound.keycode, needsShift: false)
        }
        // Columns: group 1 plain and shifted, group 2 plain and shifted, ...
        let column = state.group * 2
        guard state.group < 2, column < perKey else { return nil }
        for i in 0..<keysyms.count / perKey {
            let plain = keysyms[i * perKey + column]
            var shifted = column + 1 < perKey ? keysyms[i * perKey + column + 1] : 0
            if shifted == 0 { shifted = plain }
            guard plain == keysym || shifted == keysym else { continue }
            // Caps Lock turns letters round, and nothing else.
            let isLetter = plain != shifted && Self.isLetter(plain)
            let needsShift = (plain != keysym) != (isLetter && state.hasCapsLock)
            return Stroke(keycode: lowest + UInt8(i), needsShift: needsShift)
        }
        return nil
    }

    private mutating func makeKey(_ keysym: xcb_keysym_t, _ x: X11Connection) -> Stroke? {
        if spare.isEmpty { return nil }
        let keycode = spare.removeFirst().keycode
        spare.append((keycode, keysym))
        Self.bind(keycode, to: keysym, x)
        ownChanges += 1
        return Stroke(keycode: keycode, needsShift: false)
    }

    private static func bind(_ keycode: UInt8, to keysym: xcb_keysym_t, _ x: X11Connection) {
        xcb_change_keyboard_mapping(x.raw, 1, keycode, 2, [keysym, keysym])
    }

    private static func isLetter(_ keysym: xcb_keysym_t) -> Bool {
        let value = keysym > 0x0100_0000 ? keysym - 0x0100_0000 : keysym
        return Unicode.Scalar(value)?.properties.isAlphabetic ?? false
    }

    /// The active layout group and whether Caps Lock is on.
    private static func state(_ x: X11Connection) -> (group: Int, hasCapsLock: Bool) {
        guard let r = try? x.reply({ xcb_query_pointer_reply(x.raw, xcb_query_pointer(x.raw, x.root), $0) }) else {
            return (0, false)
        }
        defer { free(r) }
        return (Int(r.pointee.mask >> 13 & 3), r.pointee.mask & UInt16(XCB_MOD_MASK_LOCK.rawValue) != 0)
    }

    private mutating func learn(_ x: X11Connection) {
        guard let setup = xcb_get_setup(x.raw) else { return }
        lowest = setup.pointee.min_keycode
        let count = Int(setup.pointee.max_keycode) - Int(lowest) + 1
        let reply = try? x.reply {
            xcb_get_keyboard_mapping_reply(x.raw, xcb_get_keyboard_mapping(x.raw, lowest, UInt8(count)), $0)
        }
        guard let reply else { return }
        defer { free(reply) }
        perKey = Int(reply.pointee.keysyms_per_keycode)
        guard perKey > 0, let first = xcb_get_keyboard_mapping_keysyms(reply) else { return }
        keysyms = Array(UnsafeBufferPointer(start: first, count: count * perKey))
        isKnown = true
        let ours = spare.filter { $0.keysym != 0 && keysyms[(Int($0.keycode) - Int(lowest)) * perKey] == $0.keysym }
        let free = (0..<count).reversed().filter { i in
            keysyms[i * perKey..<(i + 1) * perKey].allSatisfy { $0 == 0 }
        }
        spare = free.map { (lowest + UInt8($0), 0) } + ours
        if let i = (0..<count).first(where: { keysyms[$0 * perKey] == 0xFFE1 }) { shiftKey = lowest + UInt8(i) }
    }
}
