/// The modifier keys that the system says are down: `NSEvent.ModifierFlags`, with the bits for left and right that
/// IOLLEvent.h names (`NX_DEVICELCTLKEYMASK` and its kin).
package struct ModifierFlags: Sendable, Hashable {
    package var rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The usages of the modifier keys, each with the bit of that key, and the bit that stands for the left and the
    /// right one.
    package static let keys: [(usage: UInt16, own: UInt64, either: UInt64)] = [
        (0xE0, 0x0001, 1 << 18), (0xE1, 0x0002, 1 << 17), (0xE2, 0x0020, 1 << 19), (0xE3, 0x0008, 1 << 20),
        (0xE4, 0x2000, 1 << 18), (0xE5, 0x0004, 1 << 17), (0xE6, 0x0040, 1 << 19), (0xE7, 0x0010, 1 << 20),
    ]

    /// True if the flags have the bits for left and right, which those of injected events lack.
    private func tellsSides(_ either: UInt64) -> Bool {
        Self.keys.contains { $0.either == either && rawValue & $0.own != 0 }
    }

    /// True if the key is down; `nil` if the left or the right key is down, and the flags don't have the bits that say
    /// which.
    package func isDown(_ usage: UInt16) -> Bool? {
        guard let key = Self.keys.first(where: { $0.usage == usage }) else { return nil }
        if rawValue & key.either == 0 { return false }
        return tellsSides(key.either) ? rawValue & key.own != 0 : nil
    }
}
