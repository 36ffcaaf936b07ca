package import HelioCore

/// Injects the viewers' input into macOS, through `PointerEvents`.
package final class MacInjector<Events: PointerEvents>: InputInjecting {
    /// The time for which the system's pointer position may lag behind the posted one.
    private static var memory: Duration { .milliseconds(250) }

    private let events: Events
    private let clock: () -> Instant
    private var monitor: ScreenMonitor?
    /// The pointer's position in the last posted event, and its time. The position that the system reports lags a few
    /// events behind.
    private var place: (point: DesktopPoint, at: Instant)?
    private var held: [PointerButton] = []
    private var keys: [UInt16] = []
    /// The key that is being repeated: the last one that was pressed, until its release.
    private var repeated: UInt16?
    private var modifiers = MacModifiers()
    private var clicks: ClickCounter
    private var scrollX = ScrollRemainder()
    private var scrollY = ScrollRemainder()

    /// - Parameter doubleClick: the user's setting for the maximum time between the clicks of a double click.
    package init(_ events: Events, doubleClick: Duration = .milliseconds(500), clock: @escaping () -> Instant) {
        self.events = events
        self.clock = clock
        clicks = ClickCounter(interval: doubleClick)
    }

    /// Releases all keys and buttons that are still down, so that none stays down after the session.
    deinit {
        stopRepeating()
        releaseAll()
    }

    package func follow(_ monitor: ScreenMonitor) { self.monitor = monitor }

    package func movePointer(toX x: Int, y: Int) { move(to: point(x, y)) }

    package func movePointer(byX dx: Int, y dy: Int) {
        let from = current
        // Viewers send distances in pixels of the captured screen, like positions.
        let scale = monitor?.scale ?? 1
        let bound = 100_000
        let wish = DesktopPoint(
            x: from.x + Double(min(bound, max(-bound, dx))) / scale,
            y: from.y + Double(min(bound, max(-bound, dy))) / scale)
        move(to: Self.clamp(wish, from: from, to: events.displays()))
    }

    package func button(_ button: PointerButton, isDown: Bool) {
        if isDown {
            // The release was lost, so post it now: macOS would take a second press for one of another button.
            if held.contains(button) { self.button(button, isDown: false) }
            held.append(button)
            let number = clicks.down(button, at: current, now: clock())
            post(.down(button), at: current, clicks: number)
        } else if let index = held.firstIndex(of: button) {
            held.remove(at: index)
            post(.up(button), at: current, clicks: clicks.up(button))
        }
    }

    package func scroll(dx: Int, dy: Int) {
        let x = scrollX.pixels(dx)
        let y = scrollY.pixels(dy)
        if x != 0 || y != 0 { events.postScroll(x: -x, y: y, flags: modifiers.flags) }
    }

    package func key(usage: UInt16, isDown: Bool) {
        guard let code = MacKeycodes.keycode(usage: usage) else { return }
        if modifiers.follow(usage: usage, isDown: isDown) {
            track(usage, isDown && usage != 0x39)
            events.postFlags(code, flags: modifiers.flags)
            return repeatAgain()
        }
        // Drop the release of a key that isn't down.
        guard isDown || keys.contains(usage) else { return }
        track(usage, isDown)
        let flags = modifiers.flags | MacModifiers.ownFlags(usage: usage)
        events.postKey(code, isDown: isDown, flags: flags)
        if isDown {
            repeated = usage
            events.repeatKey(code, flags: flags)
        } else if usage == repeated {
            stopRepeating()
        }
    }

    /// Stops the repetition. macOS repeats keys of a keyboard, but none that a program has posted; viewers send no
    /// repetitions, as other hosts' systems repeat by themselves.
    package func stopRepeating() {
        guard repeated != nil else { return }
        repeated = nil
        events.stopRepeating()
    }

    /// Repeats the same key with the present modifiers.
    private func repeatAgain() {
        guard let repeated, let code = MacKeycodes.keycode(usage: repeated) else { return }
        events.repeatKey(code, flags: modifiers.flags | MacModifiers.ownFlags(usage: repeated))
    }

    /// Toggles Caps Lock if its state differs. macOS has no Num Lock.
    package func setLocks(_ locks: LockState) {
        guard let caps = locks.caps, caps != modifiers.capsLock else { return }
        key(usage: 0x39, isDown: true)
        key(usage: 0x39, isDown: false)
    }

    package func type(_ text: String) {
        for units in TextChunks.split(text) { events.postText(units) }
    }

    /// Flushes nothing, as events are sent when they are posted.
    package func flush() {}

    /// Releases all held buttons, then keys, then modifiers. Switches Caps Lock off if it was switched on.
    package func releaseAll() {
        for button in held.reversed() { self.button(button, isDown: false) }
        for usage in keys.filter({ $0 < 0xE0 }) + keys.filter({ $0 >= 0xE0 }) { key(usage: usage, isDown: false) }
        if modifiers.capsLock { key(usage: 0x39, isDown: true) }
    }

    private func track(_ usage: UInt16, _ isDown: Bool) {
        keys.removeAll { $0 == usage }
        if isDown { keys.append(usage) }
    }

    /// Converts a pixel of the captured screen to a point on the desktop.
    private func point(_ x: Int, _ y: Int) -> DesktopPoint {
        guard let monitor else { return DesktopPoint(x: Double(x), y: Double(y)) }
        let rect = monitor.rect
        let scale = monitor.scale > 0 ? monitor.scale : 1
        let inside = (x: min(max(0, x), max(0, rect.width - 1)), y: min(max(0, y), max(0, rect.height - 1)))
        return DesktopPoint(
            x: (Double(rect.x) + Double(inside.x)) / scale, y: (Double(rect.y) + Double(inside.y)) / scale)
    }

    /// The pointer's position: the last posted one if it is less than `memory` old or a button is held; otherwise the
    /// system's, as the user at the machine may have moved the pointer.
    private var current: DesktopPoint {
        if let place, !held.isEmpty || clock() - place.at < Self.memory { return place.point }
        return events.pointer ?? place?.point ?? DesktopPoint(x: 0, y: 0)
    }

    private func move(to target: DesktopPoint) {
        let from = current
        place = (target, clock())
        let kind: MacPointerEvent.Kind = held.first.map { .dragged($0) } ?? .moved
        post(kind, at: target, dx: target.x - from.x, dy: target.y - from.y)
    }

    private func post(
        _ kind: MacPointerEvent.Kind, at place: DesktopPoint, dx: Double = 0, dy: Double = 0, clicks: Int = 0
    ) {
        events.post(
            MacPointerEvent(kind: kind, at: place, dx: dx, dy: dy, clicks: clicks, flags: modifiers.flags))
    }

    /// Returns the point nearest to `wish` that is on a display, so that the displays' edges stop the pointer.
    static func clamp(_ wish: DesktopPoint, from: DesktopPoint, to displays: [FrameRect]) -> DesktopPoint {
        let usable = displays.filter {
            $0.x.isFinite && $0.y.isFinite && $0.width.isFinite && $0.height.isFinite && $0.width >= 1 && $0.height >= 1
        }
        func nearest(_ display: FrameRect) -> DesktopPoint {
            DesktopPoint(
                x: min(display.x + display.width - 1, max(display.x, wish.x)),
                y: min(display.y + display.height - 1, max(display.y, wish.y)))
        }
        func distance(_ a: DesktopPoint) -> Double {
            (a.x - wish.x) * (a.x - wish.x) + (a.y - wish.y) * (a.y - wish.y)
        }
        return usable.map(nearest).min { distance($0) < distance($1) } ?? wish
    }
}
