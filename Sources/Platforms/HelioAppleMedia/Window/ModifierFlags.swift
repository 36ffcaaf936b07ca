/// The modifier keys that are down according to the system: `NSEvent.ModifierFlags`, including the bits for left and
/// right keys from IOLLEvent.h (such as `NX_DEVICELCTLKEYMASK`).
package struct ModifierFlags: Sendable, Hashable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The HID usages of the modifier keys, with the key's own bit and the modifier's bit, which the left and the right
    /// key share.
    package static let keys: [(usage: UInt16, own: UInt64, either: UInt64)] = [
        (0xE0, 0x0001, 1 << 18), (0xE1, 0x0002, 1 << 17), (0xE2, 0x0020, 1 << 19), (0xE3, 0x0008, 1 << 20),
        (0xE4, 0x2000, 1 << 18), (0xE5, 0x0004, 1 << 17), (0xE6, 0x0040, 1 << 19), (0xE7, 0x0010, 1 << 20),
    ]

    package static let control: UInt64 = 1 << 18
    package static let command: UInt64 = 1 << 20

    /// Returns true if the flags contain a bit for the left or right key of a modifier; flags of injected events have
    /// none.
    private func tellsSides(_ either: UInt64) -> Bool {
        Self.keys.contains { $0.either == either && rawValue & $0.own != 0 }
    }

    /// Returns true if the key is down; `nil` if the flags don't say which of the left and the right key is down.
    package func isDown(_ usage: UInt16) -> Bool? {
        guard let key = Self.keys.first(where: { $0.usage == usage }) else { return nil }
        if rawValue & key.either == 0 { return false }
        return tellsSides(key.either) ? rawValue & key.own != 0 : nil
    }
}
