/// A key message to the host, as in `docs/web/protocol.md`. Key codes are macOS virtual key codes; `modifiers` are the
/// modifiers that apply to the key, in the protocol's order.
///
/// Descriptions contain only the case's name, as keys and text may be a password.
package enum KeyMessage: Hashable, Sendable {
    case keyDown(keyCode: UInt16, modifiers: [StickyModifier])
    case keyUp(keyCode: UInt16)
    /// A press of a key: a down and an up.
    case keyPress(keyCode: UInt16, modifiers: [StickyModifier])
    /// Text of at most ``SpecialKeyboard/maximumTextSize`` bytes of UTF-8.
    case text(String)
    case releaseAll
}

extension KeyMessage: CustomStringConvertible {
    package var description: String {
        switch self {
        case .keyDown: "key-down"
        case .keyUp: "key-up"
        case .keyPress: "key-press"
        case .text: "text"
        case .releaseAll: "release-all"
        }
    }
}
