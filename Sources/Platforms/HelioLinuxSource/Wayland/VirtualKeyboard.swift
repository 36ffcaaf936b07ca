import HelioCore
import HelioWayland

/// The state of a virtual keyboard: which of its keys are down, which modifiers and locks are in effect, and which
/// characters are bound. The compositor derives no modifiers from the keys, so they are sent beside them.
struct VirtualKeyboard {
    /// A change to tell the compositor, in order.
    enum Step: Equatable {
        case keymap(String)
        case modifiers(depressed: UInt32, locked: UInt32)
        case key(UInt8, isDown: Bool)
    }

    private typealias Modifier = VirtualKeymap.Modifier

    private var keymap = VirtualKeymap()
    /// The keys that are down for the viewer's keys, by USB HID usage.
    private var pressed: [UInt16: UInt8] = [:]
    private var locked: UInt32 = 0
    /// The modifiers that the compositor was told last.
    private var told: (depressed: UInt32, locked: UInt32) = (0, 0)
    /// The key that was pressed for the last character, with modifiers that are not the viewer's; `nil` once they were
    /// restored.
    private var character: UInt8?
    /// The bound keys in the order of their use, the one used last at the end.
    private var used: [UInt8] = []
    /// The characters that could not be typed.
    private(set) var untyped = 0

    /// The keymap to begin with.
    var beginning: [Step] { [.keymap(keymap.text)] }

    mutating func key(usage: UInt16, isDown: Bool) -> [Step] {
        var steps: [Step] = []
        if isDown {
            guard let code = EvdevKeycodes.keycode(usage: usage) else { return [] }
            restore(&steps)
            press(code, for: usage, &steps)
            if code == 66 { locked ^= Modifier.lock }
            if code == 77 { locked ^= Modifier.num }
        } else if let code = pressed.removeValue(forKey: usage) {
            // Another of the viewer's keys, with the same keycode, may still be down.
            if !pressed.values.contains(code) { steps.append(.key(code, isDown: false)) }
            if character == code { character = nil }
        }
        if character == nil { tell(own, &steps) }
        return steps
    }

    mutating func press(_ scalar: Unicode.Scalar, usage: UInt16) -> [Step] {
        var steps: [Step] = []
        guard let place = place(of: scalar, at: EvdevKeycodes.keycode(usage: usage), &steps) else { return [] }
        tell(modifiers(for: place), &steps)
        press(place.code, for: usage, &steps)
        character = place.code
        return steps
    }

    mutating func type(_ text: String) -> [Step] {
        var steps: [Step] = []
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            guard let place = place(of: scalar, at: nil, before: scalars[(index + 1)...], &steps) else { continue }
            tell(modifiers(for: place), &steps)
            // A key that is held is let go, and typed.
            for (usage, code) in pressed where code == place.code {
                pressed[usage] = nil
                steps.append(.key(code, isDown: false))
            }
            steps += [.key(place.code, isDown: true), .key(place.code, isDown: false)]
        }
        restore(&steps)
        return steps
    }

    mutating func setLocks(_ locks: LockState) -> [Step] {
        if let caps = locks.caps { locked = caps ? locked | Modifier.lock : locked & ~Modifier.lock }
        if let num = locks.num { locked = num ? locked | Modifier.num : locked & ~Modifier.num }
        var steps: [Step] = []
        restore(&steps)
        return steps
    }

    /// Ends auto-repeat, which each program does by itself, for the key pressed last: presses one that types nothing.
    func stopRepeating() -> [Step] {
        pressed.isEmpty ? [] : [.key(VirtualKeymap.mute, isDown: true), .key(VirtualKeymap.mute, isDown: false)]
    }

    /// Lets go of all keys, modifiers and locks.
    mutating func releaseAll() -> [Step] {
        var steps = Set(pressed.values).sorted().map { Step.key($0, isDown: false) }
        pressed = [:]
        locked = 0
        restore(&steps)
        return steps
    }

    // MARK: Keys

    private mutating func press(_ code: UInt8, for usage: UInt16, _ steps: inout [Step]) {
        // Two of the viewer's keys may have the same keycode; a key may be pressed twice without a release.
        if pressed.values.contains(code) { steps.append(.key(code, isDown: false)) }
        if let before = pressed[usage], before != code {
            pressed[usage] = nil
            if !pressed.values.contains(before) { steps.append(.key(before, isDown: false)) }
        }
        pressed[usage] = code
        steps.append(.key(code, isDown: true))
    }

    /// Returns the key for a character, after binding it if no key types it; `nil` if it can't be typed.
    ///
    /// - Parameter next: the characters that follow: they are bound at the same time, as each keymap costs every
    ///   program.
    private mutating func place(
        of scalar: Unicode.Scalar, at code: UInt8?, before next: ArraySlice<Unicode.Scalar> = [], _ steps: inout [Step]
    ) -> VirtualKeymap.Place? {
        if let place = VirtualKeymap.place(of: scalar, at: code) { return place }
        guard Self.isBindable(scalar) else {
            untyped += 1
            return nil
        }
        if let bound = use(scalar) { return VirtualKeymap.Place(code: bound) }
        let down = Set(pressed.values)
        // The next characters that have a key already are included, so that no other character takes that key.
        var wanted = [scalar]
        for other in next {
            if wanted.count >= VirtualKeymap.spare.count - down.count { break }
            if VirtualKeymap.place(of: other, at: nil) == nil, Self.isBindable(other), !wanted.contains(other) {
                wanted.append(other)
            }
        }
        for other in wanted where use(other) == nil {
            let free = VirtualKeymap.spare.first { keymap.bound[$0] == nil } ?? used.first { !down.contains($0) }
            guard let free else { break }
            used.removeAll { $0 == free }
            used.append(free)
            keymap.bound[free] = other
        }
        guard let bound = use(scalar) else {
            untyped += 1
            return nil
        }
        // Events are in order, so each program has this keymap before the key's press.
        steps.append(.keymap(keymap.text))
        // A compositor may reset the modifiers with a keymap.
        told = (.max, .max)
        return VirtualKeymap.Place(code: bound)
    }

    /// Returns false for control characters without a key, and for what is no character.
    private static func isBindable(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0xA0 && scalar.value & 0xFFFE != 0xFFFE
    }

    /// Returns the key to which a character is bound, which counts as used last; `nil` if it is bound to none.
    private mutating func use(_ scalar: Unicode.Scalar) -> UInt8? {
        guard let (code, _) = keymap.bound.first(where: { $0.value == scalar }) else { return nil }
        used.removeAll { $0 == code }
        used.append(code)
        return code
    }

    // MARK: Modifiers

    /// The viewer's own modifiers.
    private var own: (depressed: UInt32, locked: UInt32) {
        var depressed: UInt32 = 0
        for code in pressed.values {
            switch code {
            case 50, 62: depressed |= Modifier.shift
            case 37, 105: depressed |= Modifier.control
            case 64: depressed |= Modifier.alt
            case 133, 134: depressed |= Modifier.logo
            case 108: depressed |= Modifier.level3
            default: break
            }
        }
        return (depressed, locked)
    }

    /// The modifiers with which a key types its character: without Caps Lock, which may capitalise any, and AltGr,
    /// which has done its work at the viewer's; Control, Alt and the logo key stay.
    private func modifiers(for place: VirtualKeymap.Place) -> (depressed: UInt32, locked: UInt32) {
        let own = own
        let depressed = own.depressed & ~(Modifier.shift | Modifier.level3)
        return (
            place.isShifted ? depressed | Modifier.shift : depressed,
            (own.locked & ~Modifier.lock) | (place.needsNum ? Modifier.num : 0)
        )
    }

    private mutating func tell(_ wanted: (depressed: UInt32, locked: UInt32), _ steps: inout [Step]) {
        if wanted == told { return }
        told = wanted
        steps.append(.modifiers(depressed: wanted.depressed, locked: wanted.locked))
    }

    private mutating func restore(_ steps: inout [Step]) {
        character = nil
        tell(own, &steps)
    }
}
