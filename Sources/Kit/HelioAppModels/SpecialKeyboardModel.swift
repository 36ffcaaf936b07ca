private import HelioRemote

/// The special keyboard: three rows of keys, whose modifiers stay down until tapped again (requirement rows 111 to
/// 114).
public struct SpecialKeyboardModel: Hashable, Sendable {
    /// A key, with its position and look.
    public struct Key: Hashable, Sendable {
        /// The key's row; 0 is the first of `rows`.
        public let row: Int
        /// The key's column in its row, from 0.
        public let column: Int
        /// The text on the key.
        public let label: String
        /// The accessibility label.
        public let name: Phrase
        /// True for a modifier that is held down.
        public let isDown: Bool
    }

    /// A message for the host. Key codes are macOS's; modifiers have the protocol's names: `cmd`, `ctrl`, `alt`,
    /// `shift`.
    public enum Message: Hashable, Sendable {
        case keyDown(keyCode: UInt16, modifiers: [String])
        case keyUp(keyCode: UInt16)
        case keyPress(keyCode: UInt16, modifiers: [String])
        case text(String)
        case releaseAll
    }

    /// True while the keyboard is shown.
    public private(set) var isShown = false
    private var down: [String] = []
    private var keyboard = SpecialKeyboard()

    /// Makes a hidden keyboard.
    public init() {}

    /// Compares the visible state only: whether the keyboard is shown, and which modifiers are down.
    public static func == (one: Self, other: Self) -> Bool { one.isShown == other.isShown && one.down == other.down }
    /// Hashes the modifiers that are down.
    public func hash(into hasher: inout Hasher) { hasher.combine(down) }

    /// The keys, row by row.
    public var rows: [[Key]] {
        SpecialKey.rows.enumerated().map { row, keys in
            keys.enumerated().map { column, key in
                Key(row: row, column: column, label: key.label, name: Self.name(of: key), isDown: isDown(key))
            }
        }
    }

    /// Shows or hides the keyboard; hiding releases the modifiers, as they would be held down invisibly.
    public mutating func toggle() -> [Message] {
        isShown.toggle()
        return isShown || down.isEmpty ? [] : releaseAll()
    }

    /// Handles a tap on a key, and returns the messages to send. A position without a key is ignored.
    public mutating func tap(row: Int, column: Int) -> [Message] {
        guard SpecialKey.rows.indices.contains(row), SpecialKey.rows[row].indices.contains(column) else { return [] }
        return told(keyboard.tap(SpecialKey.rows[row][column]))
    }

    /// Handles text typed on the touch keyboard, and returns the messages to send. While a modifier is held down, a
    /// character is sent as its key.
    public func type(_ text: String) -> [Message] { keyboard.type(text).map(Self.message) }

    /// Releases all keys, because the app goes to the background or the session ends.
    public mutating func releaseAll() -> [Message] { told(keyboard.releaseAll()) }

    private mutating func told(_ messages: [KeyMessage]) -> [Message] {
        down = keyboard.sticky.map(\.rawValue)
        return messages.map(Self.message)
    }

    private func isDown(_ key: SpecialKey) -> Bool {
        if case .modifier(let modifier) = key { down.contains(modifier.rawValue) } else { false }
    }

    private static func message(_ message: KeyMessage) -> Message {
        switch message {
        case .keyDown(let code, let modifiers): .keyDown(keyCode: code, modifiers: modifiers.map(\.rawValue))
        case .keyUp(let code): .keyUp(keyCode: code)
        case .keyPress(let code, let modifiers): .keyPress(keyCode: code, modifiers: modifiers.map(\.rawValue))
        case .text(let text): .text(text)
        case .releaseAll: .releaseAll
        }
    }

    private static func name(of key: SpecialKey) -> Phrase {
        switch key {
        case .modifier(.command): Phrase(.keyCommand)
        case .modifier(.option): Phrase(.keyOption)
        case .modifier(.control): Phrase(.keyControl)
        case .modifier(.shift): Phrase(.keyShift)
        case .escape: Phrase(.keyEscape)
        case .function(let number): Phrase(.keyFunction, "\(number)")
        case .left: Phrase(.keyLeft)
        case .right: Phrase(.keyRight)
        case .up: Phrase(.keyUp)
        case .down: Phrase(.keyDown)
        case .tab: Phrase(.keyTab)
        case .delete: Phrase(.keyDelete)
        case .home: Phrase(.keyHome)
        case .end: Phrase(.keyEnd)
        case .pageUp: Phrase(.keyPageUp)
        case .pageDown: Phrase(.keyPageDown)
        }
    }
}
