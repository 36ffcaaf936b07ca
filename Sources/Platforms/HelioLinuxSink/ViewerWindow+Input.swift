internal import CSDL2
internal import HelioCore
internal import HelioWindow

extension ViewerWindow {
    /// Handles an SDL event, and appends the `WindowEvent`s that follow from it.
    func handle(_ event: inout SDL_Event, into events: inout [WindowEvent]) {
        let type = SDL_EventType(event.type)
        // A text event directly follows its key press, so any other event means that no text follows.
        if type != SDL_KEYDOWN, type != SDL_TEXTINPUT { finishStrike(into: &events) }
        switch type {
        case SDL_QUIT: events.append(.closeRequested)
        case SDL_DROPFILE:
            guard let path = event.drop.file else { break }
            events.append(.dropped(String(cString: path)))
            SDL_free(path)
        case SDL_WINDOWEVENT: handleWindow(event.window, into: &events)
        case SDL_MOUSEMOTION: handleMotion(event.motion, into: &events)
        case SDL_MOUSEBUTTONDOWN: handleButton(event.button, isDown: true, into: &events)
        case SDL_MOUSEBUTTONUP: handleButton(event.button, isDown: false, into: &events)
        case SDL_MOUSEWHEEL: handleWheel(event.wheel, into: &events)
        case SDL_SYSWMEVENT:
            if helio_x11_is_extension(&event) != 0 { return tellLocks(into: &events) }
            let code = Int(helio_x11_key(&event))
            if code > 0 { strike = KeyStrike(keysym: helio_x11_keysym(&event)) }
            guard let usage = keyReleases.take(code) else { return }
            perform(keyboard.key(usage, isDown: false), into: &events)
        case SDL_KEYDOWN:
            let usage = UInt16(truncatingIfNeeded: event.key.keysym.scancode.rawValue)
            keyReleases.name(usage)
            if let wayland {
                finishStrike(into: &events)
                strike = KeyStrike(keysym: wayland.keysym(usage: usage))
            } else if strike == nil || strike?.usage != nil {
                finishStrike(into: &events)
                // A press without an X event was consumed by an input method, as for a dead key.
                strike = KeyStrike(role: .silent)
            }
            strike?.usage = usage
        case SDL_KEYUP:
            let usage = UInt16(truncatingIfNeeded: event.key.keysym.scancode.rawValue)
            perform(keyboard.key(usage, isDown: false), into: &events)
        case SDL_TEXTINPUT:
            let text = withUnsafeBytes(of: &event.text.text) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            strike = strike ?? KeyStrike()
            strike?.text = text
            finishStrike(into: &events)
        case SDL_USEREVENT: handleWayland(event.user, into: &events)
        case SDL_RENDER_TARGETS_RESET, SDL_RENDER_DEVICE_RESET: invalidateAll()
        default: break
        }
    }

    private func handleWindow(_ event: SDL_WindowEvent, into events: inout [WindowEvent]) {
        switch SDL_WindowEventID(UInt32(event.event)) {
        case SDL_WINDOWEVENT_EXPOSED, SDL_WINDOWEVENT_SHOWN, SDL_WINDOWEVENT_RESTORED:
            wayland?.isBackDue = true
            invalidateAll()
        case SDL_WINDOWEVENT_SIZE_CHANGED:
            if let wayland {
                wayland.isBackDue = true
                // The compositor changes it, too, by its own keys.
                isFullScreen = SDL_GetWindowFlags(window) & SDL_WINDOW_FULLSCREEN.rawValue != 0
            }
            relayout()
            events.append(.resized(layout.window))
        case SDL_WINDOWEVENT_LEAVE:
            pointer.position = nil
            updateCursor()
        case SDL_WINDOWEVENT_FOCUS_GAINED:
            if controls { events.append(.input(.focusGained)) }
            toldLocks = nil
            tellLocks(into: &events)
        case SDL_WINDOWEVENT_FOCUS_LOST:
            setPointerLocked(false)
            releaseAll(into: &events)
            if controls { events.append(.input(.focusLost)) }
        default: break
        }
    }

    /// Sends the pending key press, as no text event for it can follow any more.
    func finishStrike(into events: inout [WindowEvent]) {
        guard let strike else { return }
        self.strike = nil
        perform(keyboard.press(strike), into: &events)
    }

    /// Reports the state of Caps Lock and Num Lock to the host if it has changed and the window has the keyboard focus.
    func tellLocks(into events: inout [WindowEvent]) {
        guard controls, SDL_GetKeyboardFocus() == window, let locks, locks != toldLocks else { return }
        toldLocks = locks
        events.append(.input(.locks(locks)))
    }

    /// The present state of Caps Lock and Num Lock; `nil` if it is not known.
    private var locks: LockState? {
        if let wayland { return wayland.locks }
        guard let display else { return nil }
        let bits = helio_x11_locks(display)
        return bits < 0 ? nil : LockState(caps: bits & 1 != 0, num: bits & 2 != 0)
    }

    /// Releases all keys and buttons at the host.
    private func releaseAll(into events: inout [WindowEvent]) {
        perform(keyboard.loseFocus(), into: &events)
        for button in pointer.held.reversed() { events.append(.input(.button(button, isDown: false))) }
        pointer.held.removeAll()
    }

    private func handleMotion(_ event: SDL_MouseMotionEvent, into events: inout [WindowEvent]) {
        if isPointerLocked {
            guard controls, event.xrel != 0 || event.yrel != 0 else { return }
            var (dx, dy) = (Int(event.xrel), Int(event.yrel))
            if case .input(.pointerMovedBy(let earlierX, let earlierY)) = events.last {
                (dx, dy) = (dx + earlierX, dy + earlierY)
                events.removeLast()
            }
            return events.append(.input(.pointerMovedBy(dx: dx, dy: dy)))
        }
        if isExact(event.which) { return }
        let place = pixels(x: Int(event.x), y: Int(event.y))
        move(toX: place.x, y: place.y, into: &events)
    }

    /// SDL_TOUCH_MOUSEID: the number of the mouse that SDL makes of touches.
    private static let touch = UInt32.max

    /// True if the window's Wayland side tells the positions of a mouse exactly. SDL's are used for fingers and pens.
    private func isExact(_ mouse: UInt32) -> Bool { wayland?.isPointerOver == true && mouse != Self.touch }

    /// Handles a move of the pointer to a pixel of the window.
    func move(toX x: Int, y: Int, into events: inout [WindowEvent]) {
        let place = (x: x, y: y)
        let wasOver = isPointerOverPicture
        pointer.position = place
        if wasOver != isPointerOverPicture { updateCursor() }
        guard controls, picture != nil else { return }
        let inside = layout.normalized(x: place.x, y: place.y)
        guard let position = inside ?? (pointer.held.isEmpty ? nil : layout.clampedNormalized(x: place.x, y: place.y))
        else { return }
        // Replace the preceding move, as only the last of consecutive moves is needed.
        if case .input(.pointerMoved) = events.last { events.removeLast() }
        events.append(.input(.pointerMoved(x: position.x, y: position.y)))
    }

    private func handleButton(_ event: SDL_MouseButtonEvent, isDown: Bool, into events: inout [WindowEvent]) {
        guard controls, let button = Self.button(event.button) else { return }
        if !isPointerLocked, isDown {
            let known = isExact(event.which) ? pointer.position : nil
            let place = known ?? pixels(x: Int(event.x), y: Int(event.y))
            if pointer.position.map({ $0 != place }) ?? true { move(toX: place.x, y: place.y, into: &events) }
            guard isPointerOverPicture else { return }
        }
        if isDown {
            if !pointer.held.contains(button) { pointer.held.append(button) }
        } else {
            guard let index = pointer.held.firstIndex(of: button) else { return }
            pointer.held.remove(at: index)
        }
        events.append(.input(.button(button, isDown: isDown)))
    }

    private func handleWheel(_ event: SDL_MouseWheelEvent, into events: inout [WindowEvent]) {
        guard controls, isPointerLocked || isPointerOverPicture else { return }
        let sign = event.direction == SDL_MOUSEWHEEL_FLIPPED.rawValue ? -120.0 : 120.0
        pointer.wheel.x += Double(event.preciseX) * sign
        pointer.wheel.y += Double(event.preciseY) * sign
        let dx = Int(pointer.wheel.x.rounded(.towardZero))
        let dy = Int(pointer.wheel.y.rounded(.towardZero))
        guard dx != 0 || dy != 0 else { return }
        pointer.wheel.x -= Double(dx)
        pointer.wheel.y -= Double(dy)
        events.append(.input(.scrolled(dx: dx, dy: dy)))
    }

    private func perform(_ actions: [KeyboardRouter.Action], into events: inout [WindowEvent]) {
        for action in actions {
            switch action {
            case .key(let usage, let modifiers, let isDown):
                if controls { events.append(.input(.key(usage: usage, modifiers: modifiers, isDown: isDown))) }
            case .character(let character, let usage):
                if controls { events.append(.input(.character(character, usage: usage))) }
            case .text(let text): if controls { events.append(.input(.text(text))) }
            case .command(.quit): events.append(.closeRequested)
            case .command(let command):
                obey(command)
                events.append(.command(command))
            }
        }
    }

    private func obey(_ command: WindowCommand) {
        switch command {
        case .toggleFullScreen: setFullScreen(!isFullScreen)
        case .nextScaleMode: setScaleMode(scaleMode.next)
        case .togglePointerLock: setPointerLocked(!isPointerLocked)
        case .toggleKeyboardGrab: setGrabsKeyboard(!grabsKeyboard)
        case .toggleKeys: setKeys(keyboard.mode == .place ? .character : .place)
        case .toggleHelp: setHelpVisible(!isHelpVisible)
        case .scrollLeft: scroll(byX: -layout.window.width / 4, y: 0)
        case .scrollRight: scroll(byX: layout.window.width / 4, y: 0)
        case .scrollUp: scroll(byX: 0, y: -layout.window.height / 4)
        case .scrollDown: scroll(byX: 0, y: layout.window.height / 4)
        case .toggleStatistics, .changeDriver, .nextMonitor, .toggleSound, .toggleMicrophone, .toggleClipboard,
            .takeFiles, .declineFiles, .louder, .quieter, .quit:
            break
        }
    }

    /// Converts SDL's points to pixels, the unit of all other coordinates in `ViewerWindow`.
    private func pixels(x: Int, y: Int) -> (x: Int, y: Int) {
        var width: Int32 = 0
        var height: Int32 = 0
        SDL_GetWindowSize(window, &width, &height)
        let size = layout.window
        if Int(width) == size.width && Int(height) == size.height || width <= 0 || height <= 0 { return (x, y) }
        return (x * size.width / Int(width), y * size.height / Int(height))
    }

    private static func button(_ number: UInt8) -> PointerButton? {
        switch number {
        case 1: .left
        case 2: .middle
        case 3: .right
        case 4: .back
        case 5: .forward
        default: nil
        }
    }
}
