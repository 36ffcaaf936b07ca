import HelioControlWire
package import HelioCore
package import HelioRemoteWire

/// Converts a browser viewer's messages to input to inject; each viewer has a receiver of its own.
///
/// Messages arrive on two data channels, one of which loses and reorders messages. So pointer messages are
/// self-contained (totals, or a position and an order number), and a button message states which pointer messages were
/// sent before it. Everything held is released when the viewer requests it, leaves or falls silent.
package struct RemoteReceiver: Sendable {
    package enum Drop: String, CaseIterable, Hashable, Sendable {
        /// A position that a later one has superseded.
        case oldMotion = "old-motion"
        case repeatedDown = "repeated-down"
        case strayUp = "stray-up"
    }

    /// Maps coordinates to pixels; the owner replaces it when the captured size changes.
    package var mapper: CoordinateMapper
    package private(set) var drops = DropCounter<Drop>()

    private var keys = HeldKeys()
    private var buttons = HeldInput()
    private var lastHeard: Instant?
    /// True if the system may be auto-repeating a held key.
    private var mayRepeat = false
    private var locks = ToldLocks()
    private var totals: PointerStep.Totals?
    /// The pointer message with the highest order received so far; the point is `nil` if it was a relative step.
    private var newest: (order: UInt64, point: NormalizedPoint?)?
    /// The fractions of a pixel by which relative steps have not moved the pointer yet.
    private var stepRest = (x: 0.0, y: 0.0)
    /// The fractions of 1/120 wheel notch that were not scrolled yet.
    private var scrollRest = (x: 0.0, y: 0.0)

    package init(mapper: CoordinateMapper) { self.mapper = mapper }

    /// True if the viewer holds a key or button.
    package var isHolding: Bool { !keys.isEmpty || !buttons.isEmpty }

    /// Restarts the silence timeout, as a message from the viewer has arrived.
    package mutating func heard(now: Instant) { lastHeard = now }

    /// Returns the inputs to inject for a message, in order; empty if the message is not input.
    package mutating func handle(_ message: ViewerMessage) -> [InjectedInput] {
        switch message {
        case .mouseMove(let step): return move(by: step)
        case .mouseTo(let point, let order):
            return isNew(order, point) ? [move(to: point)] : []
        case .mouseDown(let button, let place): return act(at: place, set(button, isDown: true))
        case .mouseUp(let button, let place): return act(at: place, set(button, isDown: false))
        case .click(let button, let count, let place): return act(at: place, click(button, count: count))
        case .scroll(let dx, let dy):
            let (x, y) = (Self.whole(dx, &scrollRest.x), Self.whole(dy, &scrollRest.y))
            return x == 0 && y == 0 ? [] : [.scroll(dx: x, dy: y)]
        case .keyDown(let stroke): return press(stroke)
        case .keyUp(let stroke): return lift(stroke.usage)
        case .keyPress(let stroke):
            guard let down = keys.press(stroke) else {
                drops.count(.repeatedDown)
                return []
            }
            return locks(before: stroke.usage) + down + lift(stroke.usage)
        case .text(let text): return [.text(text)]
        case .locks(let told): return [.locks(locks.take(told))]
        case .releaseAll: return release()
        case .alive, .requestControl, .handOver, .selectMonitor, .ping, .audioEnabled, .audioVolume, .audioOffer,
            .inputs, .videoEnabled, .quality, .keepsCursors, .ownPicture, .pictureLost, .pictureSeen:
            return []
        }
    }

    /// Releases everything; returns the releases of the held keys, then of the held buttons, both in reverse order of
    /// pressing.
    package mutating func release() -> [InjectedInput] {
        let ups = buttons.buttons.reversed().map { InjectedInput.button($0, isDown: false) }
        buttons = HeldInput()
        mayRepeat = false
        locks.liftAll()
        return keys.liftAll() + ups
    }

    /// Returns the inputs to inject for a silent viewer: they stop auto-repeat after `HeldLimits.repeatTime`, and
    /// release everything after `HeldLimits.releaseTime`.
    package mutating func tick(now: Instant) -> [InjectedInput] {
        guard isHolding, let lastHeard else { return [] }
        if now >= lastHeard + HeldLimits.releaseTime { return release() }
        guard mayRepeat, now >= lastHeard + HeldLimits.repeatTime else { return [] }
        mayRepeat = false
        return [.stopRepeating]
    }

    package var deadline: Deadline? {
        guard isHolding, let lastHeard else { return nil }
        if mayRepeat { return Deadline(at: lastHeard + HeldLimits.repeatTime, why: "silence while a key is down") }
        return Deadline(at: lastHeard + HeldLimits.releaseTime, why: "silence while something is down")
    }

    // MARK: Pointer

    /// Returns inputs that make a button act at its position. Moves that were sent before the button message but arrive
    /// after it are dropped as late. If moves sent after the button message have arrived already, the pointer then
    /// returns to their position.
    private mutating func act(at place: PressPlace?, _ inputs: [InjectedInput]) -> [InjectedInput] {
        guard let place else { return inputs }
        let there = [move(to: place.point)] + inputs
        guard let order = place.order else { return there }
        if let newest, order < newest.order { return there + (newest.point.map { [move(to: $0)] } ?? []) }
        newest = (order, place.point)
        return there
    }

    private func move(to point: NormalizedPoint) -> InjectedInput {
        let pixel = mapper.pixel(at: point)
        return .movePointer(x: pixel.x, y: pixel.y)
    }

    /// Returns true, and stores the message as the newest, if its order is higher than that of all earlier pointer
    /// messages. Otherwise counts a drop and returns false.
    private mutating func isNew(_ order: UInt64, _ point: NormalizedPoint?) -> Bool {
        if let newest, order <= newest.order {
            drops.count(.oldMotion)
            return false
        }
        newest = (order, point)
        return true
    }

    /// Moves the pointer by the difference of the totals, if the message has totals, which makes up for lost steps. A
    /// late step is dropped, as totals that have arrived already include it. Without an order a late step can't be
    /// detected: it moves the pointer back, and the next step corrects that.
    private mutating func move(by step: PointerStep) -> [InjectedInput] {
        if let order = step.totals?.order, !isNew(order, nil) { return [] }
        let x: Int
        let y: Int
        if let now = step.totals, let before = totals {
            (x, y) = (Self.difference(now.x, before.x), Self.difference(now.y, before.y))
        } else {
            (x, y) = (Self.whole(step.dx, &stepRest.x), Self.whole(step.dy, &stepRest.y))
        }
        if let totals = step.totals { self.totals = totals }
        return x == 0 && y == 0 ? [] : [.movePointerBy(dx: x, dy: y)]
    }

    /// The signed difference of two totals modulo 2^31, clamped to the largest step.
    private static func difference(_ now: UInt32, _ before: UInt32) -> Int {
        let forward = Int((now &- before) & 0x7FFF_FFFF)
        let signed = forward >= 1 << 30 ? forward - 1 << 31 : forward
        let farthest = Int(ViewerMessage.farthestStep)
        return min(max(signed, -farthest), farthest)
    }

    private static func whole(_ amount: Double, _ rest: inout Double) -> Int {
        let sum = amount + rest
        let whole = sum.rounded(.towardZero)
        rest = sum - whole
        return Int(exactly: whole) ?? 0
    }

    private mutating func set(_ button: PointerButton, isDown: Bool) -> [InjectedInput] {
        guard buttons.setButton(button, isDown: isDown) else {
            drops.count(isDown ? .repeatedDown : .strayUp)
            return []
        }
        return [.button(button, isDown: isDown)]
    }

    private mutating func click(_ button: PointerButton, count: Int) -> [InjectedInput] {
        guard !buttons.contains(button) else {
            drops.count(.repeatedDown)
            return []
        }
        return (0..<count).flatMap { _ in
            [InjectedInput.button(button, isDown: true), .button(button, isDown: false)]
        }
    }

    // MARK: Keys

    private mutating func press(_ stroke: KeyStroke) -> [InjectedInput] {
        guard let inputs = keys.press(stroke) else {
            drops.count(.repeatedDown)
            return []
        }
        mayRepeat = mayRepeat || USBKeyboard.modifier(of: stroke.usage) == nil
        return locks(before: stroke.usage) + inputs
    }

    /// The viewer's locks to set before a press, as the host's locks may differ.
    private mutating func locks(before usage: UInt16) -> [InjectedInput] {
        locks.press(usage).map { [.locks($0)] } ?? []
    }

    private mutating func lift(_ usage: UInt16) -> [InjectedInput] {
        guard let inputs = keys.lift(usage) else {
            drops.count(.strayUp)
            return []
        }
        locks.lift(usage)
        return inputs
    }
}
