/// The keys that a touch keyboard lacks, and typed text while modifiers are held (requirement rows 111 to 114).
///
/// A modifier is held at the host from its first tap to its second, so that it applies to clicks, too. The page's
/// keyboard (`Web/viewer/keyboard.js`) does the same; both are tested on `Testing/Vectors/keyboard.json`.
package struct SpecialKeyboard: Sendable {
    /// The most bytes of UTF-8 that a host accepts in one message.
    package static let maximumTextSize = 4096

    private var held: Set<StickyModifier> = []

    package init() {}

    /// The held modifiers, in the protocol's order.
    package var sticky: [StickyModifier] { StickyModifier.allCases.filter(held.contains) }

    /// Handles a tap of a key.
    package mutating func tap(_ key: SpecialKey) -> [KeyMessage] {
        guard let keyCode = key.keyCode else { return [] }
        guard case .modifier(let modifier) = key else { return [.keyPress(keyCode: keyCode, modifiers: sticky)] }
        if held.remove(modifier) != nil { return [.keyUp(keyCode: keyCode)] }
        let others = sticky
        held.insert(modifier)
        return [.keyDown(keyCode: keyCode, modifiers: others)]
    }

    /// Handles typed text. With a modifier held, a single character that a key types becomes that key: Command and C
    /// copy.
    package func type(_ text: String) -> [KeyMessage] {
        if text.isEmpty { return [] }
        if !held.isEmpty, text.count == 1, let key = text.first.flatMap(TypedKey.init) {
            let modifiers = StickyModifier.allCases.filter { held.contains($0) || key.isShifted && $0 == .shift }
            return [.keyPress(keyCode: key.keyCode, modifiers: modifiers)]
        }
        // With modifiers held at the host, text would be taken for shortcuts.
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
