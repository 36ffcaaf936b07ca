internal import HelioAppModels
private import HelioRemoteWire
internal import HelioViewing

extension SinkInput {
    /// USB HID usages (page 7) of the non-character keys of a touch keyboard.
    static let returnKey: UInt16 = 0x28
    static let backspaceKey: UInt16 = 0x2A
    static let tabKey: UInt16 = 0x2B

    /// Returns the events of a key press: down, then up.
    static func press(_ usage: UInt16) -> [SinkInput] {
        [.key(usage: usage, isDown: true), .key(usage: usage, isDown: false)]
    }

    /// Returns the input for a message of the special keyboard. The modifiers in the message are already held down at
    /// the host, except a Shift that the character itself needs: Shift is pressed and released around the key.
    ///
    /// - Parameter held: the names of the modifiers that are held down, as in the protocol.
    static func inputs(for message: SpecialKeyboardModel.Message, held: Set<String>) -> [SinkInput] {
        switch message {
        case .keyDown(let keyCode, _): MacKeyCode.usage(of: keyCode).map { [.key(usage: $0, isDown: true)] } ?? []
        case .keyUp(let keyCode): MacKeyCode.usage(of: keyCode).map { [.key(usage: $0, isDown: false)] } ?? []
        case .keyPress(let keyCode, let modifiers):
            MacKeyCode.usage(of: keyCode).map { usage in
                let around = modifiers.filter { !held.contains($0) }.compactMap { modifierKeys[$0] }
                return around.map { .key(usage: $0, isDown: true) } + press(usage)
                    + around.reversed().map { .key(usage: $0, isDown: false) }
            } ?? []
        case .text(let text): [.text(text)]
        case .releaseAll: [.releaseAll]
        }
    }

    /// Returns the protocol's name of a modifier by its left key; `nil` for any other key.
    static func modifierName(of keyCode: UInt16) -> String? {
        let usage = MacKeyCode.usage(of: keyCode)
        return modifierKeys.first { $0.value == usage }?.key
    }

    private static let modifierKeys: [String: UInt16] = ["ctrl": 0xE0, "shift": 0xE1, "alt": 0xE2, "cmd": 0xE3]
}
