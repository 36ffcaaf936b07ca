/// A keymap of our own for a virtual keyboard: the keys of a keyboard with an American layout at their places, and
/// characters that are bound to the keys that such a keyboard does not have.
///
/// It is written as text of XKB that includes no other file (The X Keyboard Extension: Library Specification;
/// libxkbcommon's format, version 1).
struct VirtualKeymap {
    /// The modifiers' bits, as in the core protocol of X.
    enum Modifier {
        static let shift: UInt32 = 1, lock: UInt32 = 2, control: UInt32 = 4, alt: UInt32 = 8, num: UInt32 = 16
        static let logo: UInt32 = 64, level3: UInt32 = 128
    }

    /// A key that types a character.
    struct Place: Equatable {
        var code: UInt8
        var isShifted = false
        /// True for a digit of the keypad, which Num Lock selects.
        var needsNum = false
    }

    /// A key that is never bound and types nothing, to end auto-repeat.
    static let mute: UInt8 = 255
    /// The keys to which characters can be bound: those that the table below does not use. X programs know keycodes up
    /// to 255 only.
    static let spare: [UInt8] = (9..<mute).filter { rows[$0] == nil }

    /// The characters that are bound, by keycode.
    var bound: [UInt8: Unicode.Scalar] = [:]

    /// Returns the key that types a character without a binding; `nil` if none does.
    ///
    /// - Parameter code: the key that is preferred if it types the character.
    static func place(of scalar: Unicode.Scalar, at code: UInt8?) -> Place? {
        if let code, let digits = keypad[code], digits == scalar { return Place(code: code, needsNum: true) }
        guard let places = places[scalar] else { return nil }
        return places.first { $0.code == code } ?? places.first
    }

    /// The keymap as text.
    var text: String {
        let codes = (9...Self.mute).map { "<K\($0)>=\($0);" }.joined()
        var symbols = ""
        for (code, row) in Self.rows.sorted(by: { $0.key < $1.key }) {
            let type =
                Self.keypad[code] != nil
                ? "KEYPAD" : Self.isLetter(row) ? "ALPHABETIC" : row.count > 1 ? "TWO_LEVEL" : "ONE_LEVEL"
            symbols += "key<K\(code)>{type=\"\(type)\",[\(row.joined(separator: ","))]};\n"
        }
        for (code, scalar) in bound.sorted(by: { $0.key < $1.key }) {
            symbols += "key<K\(code)>{type=\"ONE_LEVEL\",[U\(Self.hex(scalar))]};\n"
        }
        return Self.head(codes) + symbols + Self.tail
    }

    private static func hex(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private static func isLetter(_ row: [String]) -> Bool {
        row.count == 2 && row[0].count == 1 && row[0].uppercased() == row[1] && row[0] != row[1]
    }

    private static func head(_ codes: String) -> String {
        """
        xkb_keymap {
        xkb_keycodes "heliograph" {
        minimum=8;maximum=255;
        \(codes)
        };
        xkb_types "heliograph" {
        virtual_modifiers NumLock;
        type "ONE_LEVEL" {modifiers=none;level_name[Level1]="Any";};
        type "TWO_LEVEL" {modifiers=Shift;map[Shift]=Level2;level_name[Level1]="Base";level_name[Level2]="Shift";};
        type "ALPHABETIC" {modifiers=Shift+Lock;map[Shift]=Level2;map[Lock]=Level2;level_name[Level1]="Base";\
        level_name[Level2]="Caps";};
        type "KEYPAD" {modifiers=Shift+NumLock;map[Shift]=Level2;map[NumLock]=Level2;level_name[Level1]="Base";\
        level_name[Level2]="Number";};
        };
        xkb_compatibility "heliograph" {
        virtual_modifiers NumLock;
        interpret.useModMapMods=AnyLevel;
        interpret.repeat=False;
        interpret Num_Lock+AnyOf(all) {virtualModifier=NumLock;action=LockMods(modifiers=NumLock);};
        interpret Caps_Lock+AnyOf(all) {action=LockMods(modifiers=Lock);};
        interpret Any+AnyOf(all) {action=SetMods(modifiers=modMapMods,clearLocks);};
        };
        xkb_symbols "heliograph" {

        """
    }

    private static let tail = """
        modifier_map Shift {<K50>,<K62>};
        modifier_map Lock {<K66>};
        modifier_map Control {<K37>,<K105>};
        modifier_map Mod1 {<K64>};
        modifier_map Mod2 {<K77>};
        modifier_map Mod4 {<K133>,<K134>};
        modifier_map Mod5 {<K108>};
        };
        };

        """

    // MARK: The keys

    /// The keysyms of each key, plain and shifted, by the keycodes of X: evdev's plus 8.
    static let rows: [UInt8: [String]] = {
        var rows: [UInt8: [String]] = [:]
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard let first = words.first.flatMap({ UInt8($0) }) else { continue }
            for (index, key) in words.dropFirst().enumerated() {
                rows[first + UInt8(index)] = key.split(separator: "/").map(String.init)
            }
        }
        return rows
    }()

    /// A line for each row of keys: the first keycode, and each key's keysyms.
    private static let table = """
        9 Escape 1/exclam 2/at 3/numbersign 4/dollar 5/percent 6/asciicircum
        16 7/ampersand 8/asterisk 9/parenleft 0/parenright
        20 minus/underscore equal/plus BackSpace Tab/ISO_Left_Tab
        24 q/Q w/W e/E r/R t/T y/Y u/U i/I o/O p/P bracketleft/braceleft bracketright/braceright Return Control_L
        38 a/A s/S d/D f/F g/G h/H j/J k/K l/L semicolon/colon apostrophe/quotedbl grave/asciitilde
        50 Shift_L backslash/bar z/Z x/X c/C v/V b/B n/N m/M comma/less period/greater slash/question
        62 Shift_R KP_Multiply Alt_L space Caps_Lock
        67 F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 Num_Lock Scroll_Lock
        79 KP_Home/KP_7 KP_Up/KP_8 KP_Prior/KP_9 KP_Subtract KP_Left/KP_4 KP_Begin/KP_5 KP_Right/KP_6 KP_Add
        87 KP_End/KP_1 KP_Down/KP_2 KP_Next/KP_3 KP_Insert/KP_0 KP_Delete/KP_Decimal
        93 Zenkaku_Hankaku less/greater F11 F12 backslash/underscore
        98 Katakana Hiragana Henkan_Mode Hiragana_Katakana Muhenkan
        104 KP_Enter Control_R KP_Divide Print ISO_Level3_Shift
        110 Home Up Prior Left Right End Down Next Insert Delete
        121 XF86AudioMute XF86AudioLowerVolume XF86AudioRaiseVolume XF86PowerOff KP_Equal
        127 Pause
        129 KP_Separator Hangul Hangul_Hanja
        132 yen/bar Super_L Super_R Menu Cancel Redo SunProps Undo SunFront XF86Copy XF86Open XF86Paste Find
        145 XF86Cut Help
        191 F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24
        """

    /// The characters of the keypad's keys with Num Lock, by keycode.
    private static let keypad: [UInt8: Unicode.Scalar] = [
        79: "7", 80: "8", 81: "9", 83: "4", 84: "5", 85: "6", 87: "1", 88: "2", 89: "3", 90: "0", 91: ".",
    ]

    /// The keysyms whose names are not their characters.
    private static let named: [String: Unicode.Scalar] = [
        "exclam": "!", "at": "@", "numbersign": "#", "dollar": "$", "percent": "%", "asciicircum": "^",
        "ampersand": "&",
        "asterisk": "*", "parenleft": "(", "parenright": ")", "minus": "-", "underscore": "_", "equal": "=",
        "plus": "+",
        "bracketleft": "[", "braceleft": "{", "bracketright": "]", "braceright": "}", "semicolon": ";", "colon": ":",
        "apostrophe": "'", "quotedbl": "\"", "grave": "`", "asciitilde": "~", "backslash": "\\", "bar": "|",
        "comma": ",",
        "less": "<", "period": ".", "greater": ">", "slash": "/", "question": "?", "space": " ",
        "Return": "\r", "Tab": "\t", "BackSpace": "\u{8}", "Escape": "\u{1B}", "Delete": "\u{7F}",
        "KP_Multiply": "*", "KP_Subtract": "-", "KP_Add": "+", "KP_Divide": "/", "KP_Enter": "\r", "KP_Equal": "=",
    ]

    /// The keys that type each character, those of the keypad last.
    private static let places: [Unicode.Scalar: [Place]] = {
        var places: [Unicode.Scalar: [Place]] = [:]
        var keypad: [Unicode.Scalar: [Place]] = [:]
        for (code, row) in rows.sorted(by: { $0.key < $1.key }) {
            for (level, keysym) in row.prefix(2).enumerated() {
                let own = keysym.unicodeScalars.count == 1 ? keysym.unicodeScalars.first : nil
                guard let scalar = named[keysym] ?? own else { continue }
                let place = Place(code: code, isShifted: level == 1)
                if keysym.hasPrefix("KP_") {
                    keypad[scalar, default: []].append(place)
                } else {
                    places[scalar, default: []].append(place)
                }
            }
        }
        places.merge(keypad) { $0 + $1 }
        places["\n"] = places["\r"]
        return places
    }()
}
