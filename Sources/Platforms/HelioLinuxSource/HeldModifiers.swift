/// Modifiers that are other than the viewer holds them, for as long as a character takes.
struct HeldModifiers: Equatable {
    /// Keys that the viewer holds and that were released for the character.
    var lifted: [UInt8] = []
    /// Keys that were pressed for the character.
    var added: [UInt8] = []
    /// True where Caps Lock was switched off for the character.
    var isUnlocked = false

    var isEmpty: Bool { self == HeldModifiers() }
}
