import HelioControlWire
import HelioCore

/// The held keys and buttons, each in the order in which they were pressed, and whether there is a touch.
struct HeldInput {
    private(set) var keys: [UInt16] = []
    private(set) var buttons: [PointerButton] = []
    private(set) var isTouching = false

    var isEmpty: Bool { keys.isEmpty && buttons.isEmpty && !isTouching }

    var modifiers: KeyModifiers {
        keys.reduce(into: []) { if let bit = USBKeyboard.modifier(of: $1) { $0.insert(bit) } }
    }

    func contains(key: UInt16) -> Bool { keys.contains(key) }
    func contains(_ button: PointerButton) -> Bool { buttons.contains(button) }

    /// Sets the state of a key; returns whether it has changed.
    mutating func setKey(_ usage: UInt16, isDown: Bool) -> Bool { Self.set(usage, isDown, in: &keys) }
    mutating func setButton(_ button: PointerButton, isDown: Bool) -> Bool { Self.set(button, isDown, in: &buttons) }
    mutating func setTouch(isDown: Bool) -> Bool {
        defer { isTouching = isDown }
        return isTouching != isDown
    }

    private static func set<Element: Equatable>(_ element: Element, _ isDown: Bool, in list: inout [Element]) -> Bool {
        let index = list.firstIndex(of: element)
        switch (index, isDown) {
        case (nil, true): list.append(element)
        case (let index?, false): list.remove(at: index)
        default: return false
        }
        return true
    }
}
