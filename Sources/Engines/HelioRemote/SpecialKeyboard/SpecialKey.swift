/// A key of the special keyboard (requirement rows 111 to 113).
package enum SpecialKey: Hashable, Sendable {
    /// A modifier, which stays down until it is tapped again.
    case modifier(StickyModifier)
    case escape
    /// A function key, F1 to F12.
    case function(Int)
    case left
    case right
    case up
    case down
    case tab
    /// Deletes the character to the right of the cursor.
    case delete
    case home
    case end
    case pageUp
    case pageDown

    /// The layout of the keys, from the top left.
    package static let rows: [[SpecialKey]] = [
        [.escape] + (1...12).map { .function($0) },
        [.modifier(.command), .modifier(.option), .modifier(.control), .modifier(.shift), .left, .right, .up, .down],
        [.tab, .delete, .home, .end, .pageUp, .pageDown],
    ]

    /// The text on the key's button.
    package var label: String {
        switch self {
        case .modifier(.command): "⌘"
        case .modifier(.option): "⌥"
        case .modifier(.control): "⌃"
        case .modifier(.shift): "⇧"
        case .escape: "Esc"
        case .function(let number): "F\(number)"
        case .left: "←"
        case .right: "→"
        case .up: "↑"
        case .down: "↓"
        case .tab: "Tab"
        case .delete: "Del"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        }
    }

    /// The macOS virtual key code; `nil` for a function key that does not exist.
    package var keyCode: UInt16? {
        switch self {
        case .modifier(let modifier): modifier.keyCode
        case .escape: 0x35
        case .function(let number): (1...12).contains(number) ? Self.functionKeys[number - 1] : nil
        case .left: 0x7B
        case .right: 0x7C
        case .up: 0x7E
        case .down: 0x7D
        case .tab: 0x30
        case .delete: 0x75
        case .home: 0x73
        case .end: 0x77
        case .pageUp: 0x74
        case .pageDown: 0x79
        }
    }

    private static let functionKeys: [UInt16] = [
        0x7A, 0x78, 0x63, 0x76, 0x60, 0x61, 0x62, 0x64, 0x65, 0x6D, 0x67, 0x6F,
    ]
}
