package import HelioCore
internal import HelioRemoteWire
internal import HelioWindow

/// Converts the user's input in a window of AppKit or UIKit to input for the host: keys by place, and the pointer in
/// normalised coordinates of the picture. Adds releases of keys and buttons that the system does not report to the
/// window.
///
/// Methods return events in their order; none of them is input for the host while `controls` is false.
package struct WindowInputState: Sendable {
    /// True if input is sent to the host. The window's own commands are executed in either case.
    package private(set) var controls: Bool
    /// True if the left mouse button is sent as a touch with its pressure, like a pen (requirement row 66), instead of
    /// as a button.
    package var drawsWithPressure = false
    /// True while the pointer is hidden and only its relative movements are sent.
    package private(set) var isPointerLocked = false
    /// The pointer in the view, in pixels from the top left; `nil` while it is outside the view.
    package private(set) var pointer: Place?
    /// The number of touches that were ignored, as only one at a time is sent to the host.
    package private(set) var ignoredTouches = 0

    package struct Place: Sendable, Hashable {
        package var x: Int
        package var y: Int
    }

    private var keyboard: KeyboardRouter
    /// The buttons that are down at the host, in the order of their presses.
    private var held: [PointerButton] = []
    /// The touch that is being sent to the host, and its last position in normalised coordinates of the picture.
    private var touch: (id: Int, x: Double, y: Double, isPen: Bool)?
    private var wheel = CountRemainder()
    private var motion = CountRemainder()
    private var modifiers: Set<UInt16> = []
    /// The HID usages of keys that were pressed while Command was held, as macOS doesn't report the release of such
    /// keys to every window.
    private var underCommand: [UInt16] = []

    private static let capsLock: UInt16 = 0x39
    private static let commands: Set<UInt16> = [0xE3, 0xE7]
    /// The touch ID of a mouse press that is sent as a touch; no finger's touch has it.
    private static let mouseTouch = Int.min

    package init(isTextMode: Bool = false, controls: Bool = true) {
        keyboard = KeyboardRouter(mode: isTextMode ? .text : .place)
        self.controls = controls
    }

    // MARK: Settings

    /// Sets whether input is sent to the host. After turning it off, the caller must release the keys and buttons that
    /// are down at the host.
    package mutating func setControls(_ isOn: Bool) {
        guard isOn != controls else { return }
        controls = isOn
        forget()
        if !isOn { isPointerLocked = false }
    }

    /// Locks or unlocks the pointer; while it is locked, only its relative movements are sent. Returns false if it
    /// can't be locked, because input is not sent to the host.
    package mutating func setPointerLocked(_ isOn: Bool) -> Bool {
        guard controls || !isOn else { return false }
        isPointerLocked = isOn
        motion.reset()
        return true
    }

    // MARK: Pointer

    /// Handles a move of the pointer to a pixel of the view.
    package mutating func pointerMoved(to place: (x: Int, y: Int), in layout: ViewLayout) -> [WindowEvent] {
        pointer = Place(x: place.x, y: place.y)
        guard controls, !isPointerLocked, layout.picture.area > 0 else { return [] }
        guard let position = position(of: place, in: layout) else { return [] }
        return [.input(.pointerMoved(x: position.x, y: position.y))]
    }

    /// Handles a movement of the locked pointer, in points to the right and downwards, as in AppKit's `deltaX` and
    /// `deltaY`.
    package mutating func pointerMoved(byX dx: Double, y dy: Double) -> [WindowEvent] {
        guard controls, isPointerLocked, let counts = motion.take(x: dx, y: dy) else { return [] }
        return [.input(.pointerMovedBy(dx: counts.dx, dy: counts.dy))]
    }

    package mutating func pointerLeft() {
        if held.isEmpty { pointer = nil }
    }

    /// Handles a press or a release of a mouse button.
    ///
    /// - Parameters:
    ///   - number: the button's number in AppKit: 0 left, 1 right, 2 middle, 3 back, 4 forward.
    ///   - pressure: the pressure of the left button, 0 ... 1.
    ///   - isPen: true if a pen moves the pointer; its press is sent as a touch, as with `drawsWithPressure`.
    package mutating func button(
        _ number: Int, isDown: Bool, at place: (x: Int, y: Int), pressure: Double, isPen: Bool = false,
        in layout: ViewLayout
    ) -> [WindowEvent] {
        guard controls, let button = Self.button(number) else { return [] }
        // A press that was sent as a touch is released as a touch, even if the settings have changed.
        let draws = isDown ? (drawsWithPressure || isPen) && !isPointerLocked : touch?.id == Self.mouseTouch
        if draws, button == .left {
            return touched(
                isDown ? .down : .up, id: Self.mouseTouch, places: [(place, Self.unit(pressure))], in: layout)
        }
        guard isDown else { return release(button) }
        var events: [WindowEvent] = []
        if !isPointerLocked {
            if pointer != Place(x: place.x, y: place.y) { events = pointerMoved(to: place, in: layout) }
            guard layout.normalized(x: place.x, y: place.y) != nil else { return events }
        }
        guard !held.contains(button) else { return events }
        held.append(button)
        return events + [.input(.button(button, isDown: true))]
    }

    /// Handles a move of the mouse while a button is down.
    package mutating func dragged(
        _ number: Int, to place: (x: Int, y: Int), pressure: Double, in layout: ViewLayout
    ) -> [WindowEvent] {
        if number == 0, touch?.id == Self.mouseTouch {
            pointer = Place(x: place.x, y: place.y)
            return touched(.move, id: Self.mouseTouch, places: [(place, Self.unit(pressure))], in: layout)
        }
        return pointerMoved(to: place, in: layout)
    }

    /// Handles a pointer event of UIKit, which reports the position together with all buttons that are down.
    ///
    /// - Parameter buttons: one bit for each button, from the lowest bit on: left, right, middle, back, forward.
    package mutating func pointer(
        at place: (x: Int, y: Int), buttons: Int, in layout: ViewLayout
    ) -> [WindowEvent] {
        var events = pointerMoved(to: place, in: layout)
        for number in 0..<5 {
            let isDown = buttons >> number & 1 == 1
            guard let button = Self.button(number), isDown != held.contains(button) else { continue }
            events += self.button(number, isDown: isDown, at: place, pressure: 1, in: layout)
        }
        return events
    }

    /// Handles scrolling by a wheel or a touchpad: AppKit's `scrollingDeltaX` and `scrollingDeltaY`.
    ///
    /// - Parameter isPrecise: true if the distance is in points, ten per detent; false if it is in lines, one per
    ///   detent.
    package mutating func scrolled(dx: Double, dy: Double, isPrecise: Bool, in layout: ViewLayout) -> [WindowEvent] {
        guard controls, isPointerLocked || isOverPicture(layout) else { return [] }
        let unit = isPrecise ? 12.0 : 120.0
        // AppKit's x is positive if the content moves to the right, which is scrolling to the left.
        guard let counts = wheel.take(x: -dx * unit, y: dy * unit) else { return [] }
        return [.input(.scrolled(dx: counts.dx, dy: counts.dy))]
    }

    package func isOverPicture(_ layout: ViewLayout) -> Bool {
        guard layout.picture.area > 0, let pointer else { return false }
        return layout.normalized(x: pointer.x, y: pointer.y) != nil
    }

    private func position(of place: (x: Int, y: Int), in layout: ViewLayout) -> (x: Double, y: Double)? {
        if let inside = layout.normalized(x: place.x, y: place.y) { return inside }
        return held.isEmpty ? nil : layout.clampedNormalized(x: place.x, y: place.y)
    }

    private mutating func release(_ button: PointerButton) -> [WindowEvent] {
        guard let index = held.firstIndex(of: button) else { return [] }
        held.remove(at: index)
        return [.input(.button(button, isDown: false))]
    }

    private static func button(_ number: Int) -> PointerButton? {
        switch number {
        case 0: .left
        case 1: .right
        case 2: .middle
        case 3: .back
        case 4: .forward
        default: nil
        }
    }

    private static func unit(_ value: Double) -> Double { value.isFinite ? min(1, max(0, value)) : 0 }

    // MARK: Touches

    /// Handles a touch event of a finger or pen.
    ///
    /// Every sample becomes a separate event (240 per second for an Apple Pencil); the sender reduces them if the host
    /// can't process so many.
    ///
    /// - Parameters:
    ///   - samples: the samples since the last event, oldest first.
    ///   - isPen: true for a pen. A pen cancels the touch of a finger, which belongs to the hand that holds the pen.
    package mutating func touch(
        _ phase: WindowTouchPhase, id: Int, samples: [TouchSample], isPen: Bool = false, of shape: ViewShape,
        in layout: ViewLayout
    ) -> [WindowEvent] {
        let places = samples.compactMap { sample in shape.pixel(sample.point).map { ($0, sample.pressure) } }
        guard isPen, phase == .down, let touch, !touch.isPen else {
            return touched(phase, id: id, isPen: isPen, places: places, in: layout)
        }
        return endTouch(.cancelled) + touched(.down, id: id, isPen: true, places: places, in: layout)
    }

    private mutating func touched(
        _ phase: WindowTouchPhase, id: Int, isPen: Bool = true, places: [(place: (x: Int, y: Int), pressure: Double)],
        in layout: ViewLayout
    ) -> [WindowEvent] {
        guard controls, layout.picture.area > 0 else { return [] }
        if phase == .down {
            guard touch == nil else {
                ignoredTouches += 1
                return []
            }
            guard let first = places.first, let start = layout.normalized(x: first.place.x, y: first.place.y) else {
                return []
            }
            touch = (id, start.x, start.y, isPen)
            return [.input(.touch(.down, x: start.x, y: start.y, pressure: first.pressure))]
                + moves(places.dropFirst(), in: layout)
        }
        guard touch?.id == id else { return [] }
        if phase == .move { return moves(places[...], in: layout) }
        let events = phase == .up ? moves(places.dropLast(), in: layout) : []
        if phase == .up, let last = places.last {
            let end = layout.clampedNormalized(x: last.place.x, y: last.place.y)
            touch = (id, end.x, end.y, touch?.isPen ?? false)
        }
        return events + endTouch(phase)
    }

    private mutating func moves(
        _ places: ArraySlice<(place: (x: Int, y: Int), pressure: Double)>, in layout: ViewLayout
    ) -> [WindowEvent] {
        guard let (id, _, _, isPen) = touch else { return [] }
        return places.map { place, pressure in
            let point = layout.clampedNormalized(x: place.x, y: place.y)
            touch = (id, point.x, point.y, isPen)
            return .input(.touch(.move, x: point.x, y: point.y, pressure: pressure))
        }
    }

    private mutating func endTouch(_ phase: WindowTouchPhase) -> [WindowEvent] {
        guard let last = touch else { return [] }
        touch = nil
        return [.input(.touch(phase, x: last.x, y: last.y, pressure: 0))]
    }

    // MARK: Keys

    /// Switches between text mode, in which keys that type a character are sent as text, and keys by place. All keys
    /// must be up; `KeyboardRouter` has released them for the command.
    mutating func toggleKeys() { keyboard.mode = keyboard.mode == .place ? .text : .place }

    /// Handles a key of a Mac's keyboard by its virtual key code. Repeats of a held key are dropped, except for text.
    ///
    /// - Parameter characters: the text that the key types, used in text mode.
    package mutating func key(
        code: UInt16, isDown: Bool, isRepeat: Bool = false, characters: String = ""
    ) -> [WindowEvent] {
        guard let usage = MacKeyCode.usage(of: code) else { return [] }
        return key(usage: usage, isDown: isDown, isRepeat: isRepeat, characters: characters)
    }

    /// True if a key together with Command belongs to the host, before the app's menu sees it. The menu keeps
    /// Control-Command-F, which is full screen in every app, and all keys while no input is sent.
    ///
    /// - Parameter code: the virtual key code.
    package func takesEquivalent(code: UInt16, flags: ModifierFlags) -> Bool {
        let isFullScreen = code == 0x03 && flags.rawValue & ModifierFlags.control != 0
        return controls && flags.rawValue & ModifierFlags.command != 0 && !isFullScreen
    }

    /// Handles a key by its USB HID usage, as UIKit reports it.
    package mutating func key(
        usage: UInt16, isDown: Bool, isRepeat: Bool = false, characters: String = ""
    ) -> [WindowEvent] {
        if isDown, KeyboardRouter.typesText(usage), keyboard.acceptsText {
            let text = Self.typed(characters)
            let actions = isRepeat ? [] : keyboard.key(usage, isDown: true)
            return events(of: actions) + (controls && !text.isEmpty ? [.input(.text(text))] : [])
        }
        if isDown, isRepeat { return [] }
        if isDown, !Self.commands.isDisjoint(with: modifiers), !Self.isModifier(usage) { underCommand.append(usage) }
        if !isDown { underCommand.removeAll { $0 == usage } }
        return events(of: keyboard.key(usage, isDown: isDown))
    }

    /// Handles a press or a release of a modifier key on a Mac's keyboard.
    ///
    /// - Parameter code: the virtual key code of the key.
    package mutating func modifiersChanged(code: UInt16, flags: ModifierFlags) -> [WindowEvent] {
        guard let usage = MacKeyCode.usage(of: code) else { return [] }
        if usage == Self.capsLock {
            // macOS reports only one event per press of Caps Lock, when the state changes.
            return key(usage: usage, isDown: true) + key(usage: usage, isDown: false)
        }
        var events: [WindowEvent] = []
        // Other modifiers whose release was not reported are released, too.
        for key in ModifierFlags.keys where key.usage != usage && modifiers.contains(key.usage) {
            if flags.isDown(key.usage) == false { events += modifier(key.usage, isDown: false) }
        }
        guard Self.isModifier(usage) else { return events }
        return events + modifier(usage, isDown: flags.isDown(usage) ?? !modifiers.contains(usage))
    }

    private mutating func modifier(_ usage: UInt16, isDown: Bool) -> [WindowEvent] {
        var events: [WindowEvent] = []
        if isDown {
            guard modifiers.insert(usage).inserted else { return [] }
        } else {
            guard modifiers.remove(usage) != nil else { return [] }
            if Self.commands.isDisjoint(with: modifiers) {
                for key in underCommand.reversed() { events += self.events(of: keyboard.key(key, isDown: false)) }
                underCommand = []
            }
        }
        return events + self.events(of: keyboard.key(usage, isDown: isDown))
    }

    private func events(of actions: [KeyboardRouter.Action]) -> [WindowEvent] {
        actions.compactMap { action in
            switch action {
            case .key(let usage, let modifiers, let isDown):
                controls ? .input(.key(usage: usage, modifiers: modifiers, isDown: isDown)) : nil
            case .character(let character, let usage):
                controls ? .input(.character(character, usage: usage)) : nil
            case .text(let text): controls ? .input(.text(text)) : nil
            case .command(let command): .command(command)
            }
        }
    }

    private static func isModifier(_ usage: UInt16) -> Bool { (0xE0...0xE7).contains(usage) }

    /// Returns a key's text without control characters and AppKit's private characters for function keys (U+F700 to
    /// U+F8FF).
    private static func typed(_ characters: String) -> String {
        String(
            String.UnicodeScalarView(
                characters.unicodeScalars.filter {
                    $0.value >= 0x20 && $0.value != 0x7F && !(0xF700...0xF8FF).contains($0.value)
                }))
    }

    // MARK: Focus

    package func focusGained() -> [WindowEvent] { controls ? [.input(.focusGained)] : [] }

    /// Handles the loss of the keyboard focus, or the app's move to the background: releases all keys, buttons and
    /// touches.
    package mutating func focusLost() -> [WindowEvent] {
        var events = events(of: keyboard.loseFocus())
        for button in held.reversed() { events += release(button) }
        events += endTouch(.cancelled)
        forget()
        isPointerLocked = false
        return events + (controls ? [.input(.focusLost)] : [])
    }

    /// Clears the state of all held keys, buttons and touches, without events.
    private mutating func forget() {
        _ = keyboard.loseFocus()
        held = []
        touch = nil
        modifiers = []
        underCommand = []
        wheel.reset()
        motion.reset()
    }
}
