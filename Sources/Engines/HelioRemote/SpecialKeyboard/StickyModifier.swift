/// A modifier, by its name in the browser's protocol, in the protocol's order.
package enum StickyModifier: String, CaseIterable, Hashable, Sendable {
    case command = "cmd"
    case control = "ctrl"
    case option = "alt"
    case shift

    /// The macOS virtual key code of its left key.
    package var keyCode: UInt16 {
        switch self {
        case .command: 0x37
        case .control: 0x3B
        case .option: 0x3A
        case .shift: 0x38
        }
    }
}
