/// A key of a US keyboard with its browser names.
struct PhysicalKey {
    /// `KeyboardEvent.code`
    var code: String
    /// `KeyboardEvent.key`
    var key: String
    /// The Windows virtual key code.
    var number: Int
    /// The `KeyboardEvent.location`: 1 is the left one of two.
    var location = 0

    static let shift = PhysicalKey(code: "ShiftLeft", key: "Shift", number: 16, location: 1)
    static let control = PhysicalKey(code: "ControlLeft", key: "Control", number: 17, location: 1)
    static let alt = PhysicalKey(code: "AltLeft", key: "Alt", number: 18, location: 1)
    static let enter = PhysicalKey(code: "Enter", key: "Enter", number: 13)
    static let escape = PhysicalKey(code: "Escape", key: "Escape", number: 27)
    static let tab = PhysicalKey(code: "Tab", key: "Tab", number: 9)
    static let up = PhysicalKey(code: "ArrowUp", key: "ArrowUp", number: 38)
    static let f5 = PhysicalKey(code: "F5", key: "F5", number: 116)

    /// - Parameter letter: a to z; an upper-case letter is typed with Shift held.
    static func letter(_ letter: Character) -> PhysicalKey {
        let upper = letter.uppercased()
        return PhysicalKey(code: "Key" + upper, key: String(letter), number: Int(upper.utf8.first ?? 0))
    }
}
