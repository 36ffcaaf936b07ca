/// Converts taps of the keys that a touch keyboard lacks, and text typed while modifiers are held, to key messages
/// (requirement rows 111 to 114).
///
/// A modifier is held at the host from its first tap to its second, so that it applies to clicks, too. The web viewer's
/// keyboard (`Web/viewer/input/keyboard.js`) does the same; both are tested with `Testing/Vectors/keyboard.json`.
package struct SpecialKeyboard: Sendable {
    /// The maximum size of a text message's text, in bytes of UTF-8; longer text is split.
    package static let maximumTextSize = 4096

    private var held: Set<StickyModifier> = []

    package init() {}

    /// The held modifiers, in the protocol's order.
    package var sticky: [StickyModifier] { StickyModifier.allCases.filter(held.contains) }

    /// Returns the messages for a tap of a key: a modifier is pressed or released, any other key is pressed with the
    /// held modifiers.
    package mutating func tap(_ key: SpecialKey) -> [KeyMessage] {
        guard let keyCode = key.keyCode else { return [] }
        guard case .modifier(let modifier) = key else { return [.keyPress(keyCode: keyCode, modifiers: sticky)] }
        if held.remove(modifier) != nil { return [.keyUp(keyCode: keyCode)] }
        let others = sticky
        held.insert(modifier)
        return [.keyDown(keyCode: keyCode, modifiers: others)]
    }

    /// Returns the messages for typed text. While a modifier is held, a single character is sent as a press of the key
    /// that types it, so that Command with C copies.
    package func type(_ text: String) -> [KeyMessage] {
        if text.isEmpty { return [] }
        if !held.isEmpty, text.count == 1, let key = text.first.flatMap(TypedKey.init) {
            let modifiers = StickyModifier.allCases.filter { held.contains($0) || key.isShifted && $0 == .shift }
            return [.keyPress(keyCode: key.keyCode, modifiers: modifiers)]
        }
        // Release the modifiers at the host while the text is typed, as the host would take the text for shortcuts
        // otherwise.
        let ups = sticky.reversed().map { KeyMessage.keyUp(keyCode: $0.keyCode) }
        let downs = sticky.map { KeyMessage.keyDown(keyCode: $0.keyCode, modifiers: []) }
        return ups + text.pieces(ofAtMost: Self.maximumTextSize).map { .text($0) } + downs
    }

    /// Releases everything, as the view has lost the keyboard.
    package mutating func releaseAll() -> [KeyMessage] {
        held = []
        return [.releaseAll]
    }
}
