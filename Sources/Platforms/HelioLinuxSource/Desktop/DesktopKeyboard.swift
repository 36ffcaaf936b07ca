import HelioCore
import HelioDesktop
import HelioWayland

/// The keys of a desktop's session that are down, and what is sent to type characters: keysyms, for which the desktop
/// finds the key of its layout, and presses Shift if that needs it.
struct DesktopKeyboard {
    /// The keys that are down for the viewer's keys, by USB HID usage.
    private enum Held: Hashable {
        case key(UInt32)
        case keysym(UInt32)
    }

    private var held: [UInt16: Held] = [:]
    /// The viewer's Shift and AltGr, up for a character that is typed without them.
    private var lifted: [UInt32] = []
    /// True if Caps Lock is on, as far as is known.
    private var isCapsOn = false

    private static let capsLock: UInt32 = 58
    /// Left and right Shift, and AltGr, as in linux/input-event-codes.h.
    private static let levelKeys: Set<UInt32> = [42, 54, 100]
    private static let modifierUsages: ClosedRange<UInt16> = 0xE0...0xE7

    mutating func key(usage: UInt16, isDown: Bool) -> [DesktopInput] {
        guard isDown else { return release(usage) }
        guard let keycode = EvdevKeycodes.keycode(usage: usage) else { return [] }
        let code = UInt32(keycode) - 8
        var steps = restore()
        if held[usage] != nil { steps += release(usage) }
        if code == Self.capsLock { isCapsOn.toggle() }
        held[usage] = .key(code)
        steps.append(.key(code, isDown: true))
        return steps
    }

    mutating func press(_ scalar: Unicode.Scalar, usage: UInt16) -> [DesktopInput] {
        guard let keysym = keysym(of: scalar) else { return [] }
        var steps = held[usage] != nil ? release(usage) : []
        steps += lift()
        held[usage] = .keysym(keysym)
        steps.append(.keysym(keysym, isDown: true))
        return steps
    }

    mutating func type(_ text: String) -> [DesktopInput] {
        var steps = lift()
        for scalar in text.unicodeScalars {
            guard let keysym = keysym(of: scalar) else { continue }
            steps += [.keysym(keysym, isDown: true), .keysym(keysym, isDown: false)]
        }
        return steps + restore()
    }

    /// Presses the lock keys whose states differ.
    ///
    /// - Parameter now: the desktop's states; `nil` if it does not tell them, then nothing is pressed.
    mutating func setLocks(_ locks: LockState, now: (caps: Bool, num: Bool)?) -> [DesktopInput] {
        guard let now else { return [] }
        var steps = restore()
        isCapsOn = locks.caps ?? now.caps
        let keys: [(wanted: Bool?, is: Bool, code: UInt32)] = [
            (locks.caps, now.caps, Self.capsLock), (locks.num, now.num, 69),
        ]
        for key in keys where key.wanted.map({ $0 != key.is }) ?? false {
            steps += [.key(key.code, isDown: true), .key(key.code, isDown: false)]
        }
        return steps
    }

    /// Lets go of the keys that repeat.
    mutating func stopRepeating() -> [DesktopInput] {
        held.keys.filter { !Self.modifierUsages.contains($0) }.sorted().flatMap { release($0) }
    }

    mutating func releaseAll() -> [DesktopInput] {
        lifted = []
        return held.keys.sorted().flatMap { release($0) }
    }

    private mutating func release(_ usage: UInt16) -> [DesktopInput] {
        guard let key = held.removeValue(forKey: usage) else { return [] }
        // Another of the viewer's keys, with the same code, is still down.
        if held.values.contains(key) { return [] }
        switch key {
        case .key(let code):
            if let index = lifted.firstIndex(of: code) {
                lifted.remove(at: index)
                return []
            }
            return [.key(code, isDown: false)]
        case .keysym(let keysym): return [.keysym(keysym, isDown: false)] + restore()
        }
    }

    /// Lifts the viewer's Shift and AltGr: they have done their work at the viewer's.
    private mutating func lift() -> [DesktopInput] {
        var steps: [DesktopInput] = []
        for case .key(let code) in held.values where Self.levelKeys.contains(code) && !lifted.contains(code) {
            lifted.append(code)
            steps.append(.key(code, isDown: false))
        }
        return steps
    }

    private mutating func restore() -> [DesktopInput] {
        defer { lifted = [] }
        return lifted.map { .key($0, isDown: true) }
    }

    /// Returns the keysym of a character, with the other case if Caps Lock is on; `nil` for a control character without
    /// a key (X11's keysymdef.h).
    private func keysym(of scalar: Unicode.Scalar) -> UInt32? {
        switch scalar.value {
        case 0x0A, 0x0D: return 0xFF0D
        case 0x08: return 0xFF08
        case 0x09: return 0xFF09
        case 0x1B: return 0xFF1B
        case 0x7F: return 0xFFFF
        case ..<0x20, 0x80..<0xA0: return nil
        default: break
        }
        var scalar = scalar
        if isCapsOn {
            let properties = scalar.properties
            let other = properties.isUppercase ? properties.lowercaseMapping : properties.uppercaseMapping
            let scalars = other.unicodeScalars
            if scalars.count == 1, let only = scalars.first { scalar = only }
        }
        return scalar.value < 0x100 ? scalar.value : 0x100_0000 | scalar.value
    }
}
