/// The differences from the modifiers that the viewer holds, made while one character is typed.
struct HeldModifiers: Equatable {
    /// The keys that the viewer holds, and that were released for the character.
    var lifted: [UInt8] = []
    /// The keys that were pressed for the character.
    var added: [UInt8] = []
    /// True if Caps Lock was switched off for the character.
    var isUnlocked = false

    var isEmpty: Bool { self == HeldModifiers() }
}
