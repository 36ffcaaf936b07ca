import CXCB
import Glibc
import HelioCore

/// Finds, or makes, a key for each character of a text.
///
/// A character that the present layout has with or without shift uses that key. Any other is bound to a
/// `SpareKey`. A client reads the new keymap only when it handles the `MappingNotify`, maybe long after: so
/// a binding stays, and only when there are no more spare ones is the one used longest ago replaced. With
/// some 150 of them that is further back than a client lags.
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
    /// The spare keys; those without any meaning come first.
    private var spare: [SpareKey] = []
    private var useCount = 0
    /// The number of our own changes that the server will still report, and that are no reason to ask for its keymap.
    private var ownChanges = 0

    /// Takes the server's report that its keymap has changed.
    mutating func forget() {
        if ownChanges > 0 {
            ownChanges -= 1
        } else {
            isKnown = false
        }
    }

    /// The earlier meanings of the keys that are bound.
    private(set) var changedMeanings: [UInt8: [xcb_keysym_t]] = [:]

    /// Restores the meanings of the spare keys.
    mutating func unbindAll(_ x: X11Connection) {
        for key in spare where key.bound != [0, 0] {
            xcb_change_keyboard_mapping(x.raw, 1, key.keycode, UInt8(key.original.count), key.original)
        }
        spare.removeAll()
        changedMeanings = [:]
        isKnown = false
    }

    mutating func strokes(for text: String, _ x: X11Connection) -> [Stroke] {
        if !isKnown { learn(x) }
        guard isKnown else { return [] }
        let state = Self.state(x)
        var strokes: [Stroke] = []
        for scalar in text.unicodeScalars {
            guard let keysym = Self.keysym(scalar) else { continue }
            if let stroke = findSpare(keysym) ?? find(keysym, state) ?? bind(keysym, x) { strokes.append(stroke) }
        }
        return strokes
    }

    /// The keysym of a character (X11 protocol appendix A): Latin-1 is itself, the rest is 0x01000000 plus the code
    /// point.
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

    private mutating func findSpare(_ keysym: xcb_keysym_t) -> Stroke? {
        for i in spare.indices {
            if let level = spare[i].bound.firstIndex(of: keysym) { return use(i, level) }
        }
        return nil
    }

    private mutating func bind(_ keysym: xcb_keysym_t, _ x: X11Connection) -> Stroke? {
        var oldest: (key: Int, level: Int, use: Int)?
        for i in spare.indices {
            for level in 0...1 where spare[i].lastUse[level] < oldest?.use ?? .max {
                oldest = (i, level, spare[i].lastUse[level])
            }
        }
        guard let oldest else { return nil }
        spare[oldest.key].bound[oldest.level] = keysym
        xcb_change_keyboard_mapping(x.raw, 1, spare[oldest.key].keycode, 2, spare[oldest.key].columns)
        changedMeanings[spare[oldest.key].keycode] = spare[oldest.key].original
        ownChanges += 1
        return use(oldest.key, oldest.level)
    }

    private mutating func use(_ key: Int, _ level: Int) -> Stroke {
        useCount += 1
        spare[key].lastUse[level] = useCount
        return Stroke(keycode: spare[key].keycode, needsShift: level == 1)
    }

    private static func isLetter(_ keysym: xcb_keysym_t) -> Bool {
        let value = keysym > 0x0100_0000 ? keysym - 0x0100_0000 : keysym
        return Unicode.Scalar(value)?.properties.isAlphabetic ?? false
    }

    /// The active layout group, and whether Caps Lock is on.
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
        guard perKey > 1, let first = xcb_get_keyboard_mapping_keysyms(reply) else { return }
        keysyms = Array(UnsafeBufferPointer(start: first, count: count * perKey))
        isKnown = true
        if let i = (0..<count).first(where: { keysyms[$0 * perKey] == 0xFFE1 }) { shiftKey = lowest + UInt8(i) }

        // Bindings of ours that are still there stay; whoever loads another layout overwrites all of them.
        func columns(_ keycode: UInt8) -> [xcb_keysym_t] {
            let at = (Int(keycode) - Int(lowest)) * perKey
            return Array(keysyms[at...at + 1])
        }
        let ours = spare.filter { $0.bound != [0, 0] }
        if !ours.isEmpty, ours.allSatisfy({ columns($0.keycode) == $0.columns }) { return }
        let keys = (0..<count).compactMap { i in
            SpareKey(keycode: lowest + UInt8(i), keysyms: keysyms[i * perKey..<(i + 1) * perKey])
        }
        spare = keys.filter(\.wasEmpty) + keys.filter { !$0.wasEmpty }
        changedMeanings = [:]
    }
}
