import HelioControlWire
import HelioRemoteWire

/// The keys held by a browser's viewer: keys that the viewer has pressed, and borrowed modifiers, which are pressed
/// only while a key that needs them is down.
///
/// A modifier that the viewer holds on either side, left or right, is never borrowed. If the viewer presses a borrowed
/// modifier, the modifier stays down until the viewer releases it.
struct HeldKeys {
    private struct Key {
        let usage: UInt16
        /// True if the viewer has pressed the key itself.
        var isOwn: Bool
        /// The usages of the held keys for which this modifier is borrowed.
        var borrowers: [UInt16] = []
    }

    /// The keys in the order in which they went down.
    private var keys: [Key] = []

    var isEmpty: Bool { keys.isEmpty }

    /// Presses a key; returns the inputs to inject, in order, or `nil` if the viewer already holds the key.
    mutating func press(_ stroke: KeyStroke) -> [InjectedInput]? {
        let usage = stroke.usage
        let index = keys.firstIndex { $0.usage == usage }
        if let index, keys[index].isOwn { return nil }
        var inputs: [InjectedInput] = []
        for sides in Self.sides(of: stroke.modifiers) where usage != sides.left && usage != sides.right {
            if keys.contains(where: { $0.isOwn && ($0.usage == sides.left || $0.usage == sides.right) }) { continue }
            if let borrowed = keys.firstIndex(where: { $0.usage == sides.left }) {
                keys[borrowed].borrowers.append(usage)
            } else {
                keys.append(Key(usage: sides.left, isOwn: false, borrowers: [usage]))
                inputs.append(.key(usage: sides.left, isDown: true))
            }
        }
        if let index {
            keys[index].isOwn = true
        } else {
            keys.append(Key(usage: usage, isOwn: true))
            inputs.append(stroke.character.map { .character($0, usage: usage) } ?? .key(usage: usage, isDown: true))
        }
        return inputs
    }

    /// Releases a key; returns the inputs to inject, in order, or `nil` if the viewer does not hold the key.
    mutating func lift(_ usage: UInt16) -> [InjectedInput]? {
        guard let index = keys.firstIndex(where: { $0.usage == usage && $0.isOwn }) else { return nil }
        keys[index].isOwn = false
        for index in keys.indices { keys[index].borrowers.removeAll { $0 == usage } }
        // The key itself goes up before its borrowed modifiers, as when a user releases a shortcut.
        let gone = keys.filter { !$0.isOwn && $0.borrowers.isEmpty }.map(\.usage)
        keys.removeAll { !$0.isOwn && $0.borrowers.isEmpty }
        let ups = gone.filter { $0 == usage } + gone.reversed().filter { $0 != usage }
        return ups.map { .key(usage: $0, isDown: false) }
    }

    /// Releases all keys; returns their releases, in reverse order of pressing.
    mutating func liftAll() -> [InjectedInput] {
        defer { keys = [] }
        return keys.reversed().map { .key(usage: $0.usage, isDown: false) }
    }

    private static func sides(of modifiers: RemoteModifiers) -> [(left: UInt16, right: UInt16)] {
        var sides: [(left: UInt16, right: UInt16)] = []
        if modifiers.contains(.control) { sides.append((USBKeyboard.leftControl, USBKeyboard.rightControl)) }
        if modifiers.contains(.option) { sides.append((USBKeyboard.leftAlt, USBKeyboard.rightAlt)) }
        if modifiers.contains(.shift) { sides.append((USBKeyboard.leftShift, USBKeyboard.rightShift)) }
        if modifiers.contains(.command) { sides.append((USBKeyboard.leftGUI, USBKeyboard.rightGUI)) }
        return sides
    }
}
