/// The modifiers that were changed from the viewer's for the time of one character.
struct HeldModifiers: Equatable {
    /// The keys that the viewer holds, and that were released for the character.
    var lifted: [UInt8] = []
    /// The keys that were pressed for the character.
    var added: [UInt8] = []
    /// True if Caps Lock was switched off for the character.
    var isUnlocked = false

    var isEmpty: Bool { self == HeldModifiers() }
}
