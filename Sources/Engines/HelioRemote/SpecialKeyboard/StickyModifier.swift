/// A modifier that stays down until it is tapped again. Raw values are the names in the browser's protocol; cases are
/// in the protocol's order.
package enum StickyModifier: String, CaseIterable, Hashable, Sendable {
    case command = "cmd"
    case control = "ctrl"
    case option = "alt"
    case shift

    /// The macOS virtual key code of the modifier's left key.
    package var keyCode: UInt16 {
        switch self {
        case .command: 0x37
        case .control: 0x3B
        case .option: 0x3A
        case .shift: 0x38
        }
    }
}
