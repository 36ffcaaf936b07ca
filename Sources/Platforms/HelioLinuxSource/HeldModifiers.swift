/// The temporary changes to the modifiers that the viewer holds, made while one character is typed and then undone.
struct HeldModifiers: Equatable {
    /// The modifier keys that the viewer holds and that are released for the character.
    var lifted: [UInt8] = []
    /// The modifier keys that are pressed for the character.
    var added: [UInt8] = []
    /// True if Caps Lock was switched off for the character.
    var isUnlocked = false

    var isEmpty: Bool { self == HeldModifiers() }
}
