/// The key of a US keyboard that types a character, for shortcuts typed on touch keyboards, which have only characters.
struct TypedKey: Equatable {
    /// The macOS virtual key code.
    var keyCode: UInt16
    var isShifted: Bool

    /// Finds the key of a character; `nil` if no single key of a US keyboard types it, alone or with Shift.
    init?(_ character: Character) {
        guard let ascii = character.asciiValue else { return nil }
        if let keyCode = Self.keyCode(of: ascii, in: Self.plain) {
            self.init(keyCode: keyCode, isShifted: false)
        } else if let keyCode = Self.keyCode(of: ascii, in: Self.shifted) {
            self.init(keyCode: keyCode, isShifted: true)
        } else {
            return nil
        }
    }

    private init(keyCode: UInt16, isShifted: Bool) {
        self.keyCode = keyCode
        self.isShifted = isShifted
    }

    private static func keyCode(of ascii: UInt8, in characters: StaticString) -> UInt16? {
        // The space bar is a special case, as spaces in the tables stand for key codes that type nothing.
        if ascii == UInt8(ascii: " ") { return 0x31 }
        return characters.withUTF8Buffer { $0.firstIndex(of: ascii) }.map { UInt16($0) }
    }

    /// The characters by key code: the character at index n is typed by the key with code n.
    private static let plain: StaticString = "asdfhgzxcv bqweryt123465=97-80]ou[ip lj'k;\\,/nm.  `"
    private static let shifted: StaticString = "ASDFHGZXCV BQWERYT!@#$^%+(&_*)}OU{IP LJ\"K:|<?NM>  ~"
}
