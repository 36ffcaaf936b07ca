package import HelioCore

/// Recognises finger gestures on a touch screen, by the rules of `docs/web/gestures.md`.
///
/// A single finger acts as on a trackpad: it moves the pointer from its present position. The web viewer has the same
/// engine (`Web/viewer/input/gestures.js`); both are tested with `Testing/Vectors/gestures.json`.
package struct GestureEngine: ~Copyable, Engine {
    /// A finger's event, with positions in points of the view. A finger keeps its `id` from down to up.
    package enum Input: Hashable, Sendable {
        case down(id: Int, x: Double, y: Double)
        case move(id: Int, x: Double, y: Double)
        case up(id: Int, x: Double, y: Double)
        /// The system has claimed the finger for a gesture of its own.
        case cancel(id: Int)
        /// The view has lost all fingers, so a held button is released, and pending gestures are dropped.
        case reset
    }

    /// The largest coordinate accepted: no view is larger than this.
    private static let farthest = 100_000.0
    private static let maximumFingers = 10
    private static let notch = 120.0
    /// The shortest time over which speed is measured, in milliseconds, as events of one sample may have nearly the
    /// same time.
    private static let shortestSample = 4.0

    private enum Phase {
        case idle
        /// No finger has moved beyond `slop`: this may become a tap.
        case still
        /// A finger moves the pointer.
        case moving
        /// A finger moves soon after a tap, as for a drag: its moves are not emitted until the button is down.
        case held
        case dragging(finger: Int)
        /// Two fingers are down, and may scroll or pinch.
        case undecided
        case scrolling
        case pinching(Grip)
        /// The remaining fingers are ignored.
        case resting
    }

    /// The positions of two fingers as a midpoint and a distance.
    private struct Grip {
        /// The midpoint between the fingers.
        var middle: Place
        var distance: Double
    }

    private struct Tap {
        var at: Instant
        var place: Place
    }

    /// A drag whose finger went up before its button went down; the complete drag is emitted at `at`.
    private struct LateDrag {
        var at: Instant
        var dx: Int
        var dy: Int
    }

    package var settings: GestureSettings
    /// The view's zoom factor, at least 1. The owner sets it if the view is zoomed by other means than these gestures.
    package var zoom = 1.0

    private var phase = Phase.idle
    private var fingers: [Finger] = []
    private var now = Instant(nanoseconds: .min)
    private var outputs: [GestureAction] = []
    /// The last left tap.
    private var lastTap: Tap?
    /// The tap before the present finger; `nil` unless the finger followed soon and close enough for a double tap.
    private var followed: Tap?
    /// The time at which two fingers tapped a zoomed view; the right click waits for a second tap, which resets the
    /// zoom instead.
    private var rightTap: Instant?
    private var lateDrag: LateDrag?

    // The present fingers: the time at which the first went down, and the largest number down at a time.
    private var start = Instant.zero
    private var mostFingers = 0
    /// True if one finger moved the pointer before the second finger went down.
    private var wasMoving = false
    /// The time from which only one of two fingers has moved.
    private var loneSince: Instant?
    private var heldX = 0
    private var heldY = 0
    private var pointerSteps = WholeSteps()
    private var scrollSteps = WholeSteps()

    package init(_ settings: GestureSettings = GestureSettings()) {
        self.settings = settings
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        tick(now: now)
        switch input {
        case .down(let id, let x, let y):
            if let place = Self.place(x, y) { down(id, place) }
        case .move(let id, let x, let y):
            if let place = Self.place(x, y) { move(id, to: place) }
        case .up(let id, let x, let y):
            if let place = Self.place(x, y) { move(id, to: place) }
            lift(id, isCancelled: false)
        case .cancel(let id): lift(id, isCancelled: true)
        case .reset: reset()
        }
    }

    package mutating func tick(now: Instant) {
        while let deadline, deadline.at <= now { doDue(at: deadline.at) }
        self.now = max(self.now, now)
    }

    package mutating func poll() -> GestureAction? {
        outputs.isEmpty ? nil : outputs.removeFirst()
    }

    package var deadline: Deadline? {
        var result = lateDrag.map { Deadline(at: $0.at, why: "a drag that waits for its button") }
        if let at = rightTapEnds { result = .earliest(result, Deadline(at: at, why: "second tap of two fingers")) }
        if let at = pressAt { result = .earliest(result, Deadline(at: at, why: "press")) }
        if case .undecided = phase, let loneSince {
            result = .earliest(result, Deadline(at: loneSince + settings.settleTime, why: "the other finger"))
        }
        return result
    }

    private static func place(_ x: Double, _ y: Double) -> Place? {
        abs(x) <= farthest && abs(y) <= farthest ? Place(x: x, y: y) : nil
    }

    private mutating func reset() {
        if case .dragging = phase { outputs.append(.button(.left, isDown: false)) }
        fingers = []
        phase = .idle
        lastTap = nil
        rightTap = nil
        lateDrag = nil
    }
}

// MARK: - Timers

extension GestureEngine {
    /// The time at which a finger that rests, or moves after a tap, presses the button; `nil` if no press is pending.
    /// After a tap, the press is delayed until hosts no longer take both for a double click.
    private var pressAt: Instant? {
        switch phase {
        case .held: break
        case .still where mostFingers == 1: break
        default: return nil
        }
        return followed.map { $0.at + settings.clickTime } ?? start + settings.longPressTime
    }

    /// The time by which a second tap of two fingers has to begin or, once begun, to end.
    private var rightTapEnds: Instant? {
        rightTap.map { fingers.isEmpty ? $0 + settings.doubleTapTime : start + settings.tapTime }
    }

    /// Executes the earliest action that is due.
    private mutating func doDue(at instant: Instant) {
        if let lateDrag, lateDrag.at <= instant {
            finishLateDrag()
        } else if let rightTapEnds, rightTapEnds <= instant {
            clickRight()
        } else if let pressAt, pressAt <= instant, let finger = fingers.first {
            clickRight()
            outputs.append(.button(.left, isDown: true))
            emitMove(heldX, heldY)
            phase = .dragging(finger: finger.id)
        } else {
            decide(isDue: true)
        }
    }

    private mutating func finishLateDrag() {
        guard let drag = lateDrag else { return }
        lateDrag = nil
        outputs.append(.button(.left, isDown: true))
        emitMove(drag.dx, drag.dy)
        outputs.append(.button(.left, isDown: false))
    }

    /// Emits the pending right click, if any, as no second tap of two fingers can follow.
    private mutating func clickRight() {
        guard rightTap != nil else { return }
        rightTap = nil
        outputs.append(.click(.right))
    }
}

// MARK: - Fingers

extension GestureEngine {
    private mutating func down(_ id: Int, _ place: Place) {
        lift(id, isCancelled: true)
        finishLateDrag()
        guard fingers.count < Self.maximumFingers else { return }
        fingers.append(Finger(id: id, place: place, origin: place, moved: now))
        if fingers.count == 1 { return begin(at: place) }
        mostFingers = max(mostFingers, fingers.count)
        switch phase {
        case .still, .dragging: break
        case .moving, .held:
            emitMove(heldX, heldY)
            anchor(wasMoving: true)
        case .idle, .undecided, .scrolling, .pinching, .resting:
            if fingers.count == 2 { anchor(wasMoving: false) } else { rest() }
        }
    }

    private mutating func begin(at place: Place) {
        phase = .still
        start = now
        mostFingers = 1
        heldX = 0
        heldY = 0
        pointerSteps = WholeSteps()
        scrollSteps = WholeSteps()
        loneSince = nil
        wasMoving = false
        followed = lastTap.flatMap { isSecond(place, after: $0) ? $0 : nil }
        lastTap = nil
    }

    private func isSecond(_ place: Place, after tap: Tap) -> Bool {
        now - tap.at < settings.doubleTapTime && (place - tap.place).length <= settings.doubleTapSlop
    }

    private mutating func move(_ id: Int, to place: Place) {
        guard let index = fingers.firstIndex(where: { $0.id == id }), fingers[index].place != place else { return }
        let way = place - fingers[index].place
        let elapsed = now - fingers[index].moved
        fingers[index].place = place
        fingers[index].moved = now
        switch phase {
        case .still: leave(fingers[index], elapsed)
        case .moving, .held: point(way, elapsed)
        case .dragging(let finger): if finger == id { point(way, elapsed) }
        case .undecided: decide(isDue: false)
        case .scrolling: scroll(way / 2)
        case .pinching(let grip): pinch(from: grip)
        case .idle, .resting: break
        }
    }

    private mutating func lift(_ id: Int, isCancelled: Bool) {
        guard let index = fingers.firstIndex(where: { $0.id == id }) else { return }
        let finger = fingers.remove(at: index)
        let pressAt = pressAt
        switch phase {
        case .still:
            if isCancelled { rest() } else if fingers.isEmpty { tap(finger) }
        case .held:
            if !isCancelled, let pressAt { lateDrag = LateDrag(at: pressAt, dx: heldX, dy: heldY) }
        case .dragging(let dragger):
            guard dragger == id else { break }
            outputs.append(.button(.left, isDown: false))
            phase = .resting
        case .undecided: phase = wasMoving ? .moving : .resting
        case .scrolling, .pinching: phase = .resting
        case .resting: if fingers.count == 2 { anchor(wasMoving: false) }
        case .idle, .moving: break
        }
        if fingers.isEmpty { phase = .idle }
    }

    /// Handles a tap: all fingers went down and up without moving.
    private mutating func tap(_ finger: Finger) {
        let isQuick = now - start <= settings.tapTime
        if mostFingers == 1 {
            clickRight()
            outputs.append(.click(.left))
            lastTap = Tap(at: now, place: finger.origin)
            return
        }
        guard mostFingers == 2, isQuick else {
            clickRight()
            if mostFingers == 3, isQuick { outputs.append(.click(.middle)) }
            return
        }
        if zoom == 1 {
            rightTap = now
            clickRight()
        } else if rightTap == nil {
            rightTap = now
        } else {
            rightTap = nil
            zoom = 1
            outputs.append(.resetZoom)
        }
    }

    /// Begins a movement if a finger has moved farther than `slop`.
    private mutating func leave(_ finger: Finger, _ elapsed: Duration) {
        let distance = finger.way.length
        guard distance > settings.slop else { return }
        guard mostFingers == 1 || fingers.count == 2 else { return rest() }
        clickRight()
        if fingers.count == 2 {
            phase = .undecided
            return decide(isDue: false)
        }
        phase = followed == nil ? .moving : .held
        point(finger.way * (1 - settings.slop / distance), elapsed)
    }

    /// Ignores these fingers until a finger is lifted and exactly two are left.
    private mutating func rest() {
        clickRight()
        phase = .resting
    }
}

// MARK: - One finger

extension GestureEngine {
    private mutating func point(_ way: Place, _ elapsed: Duration) {
        let speed = way.length / max(elapsed.milliseconds, Self.shortestSample)
        let factor = settings.gain(speed: speed) * settings.pointerScale / zoom
        let steps = pointerSteps.take(way * factor)
        if case .held = phase {
            heldX += steps.dx
            heldY += steps.dy
        } else {
            emitMove(steps.dx, steps.dy)
        }
    }

    private mutating func emitMove(_ dx: Int, _ dy: Int) {
        if dx != 0 || dy != 0 { outputs.append(.move(dx: dx, dy: dy)) }
    }
}

// MARK: - Two fingers

extension GestureEngine {
    private mutating func anchor(wasMoving: Bool) {
        for index in fingers.indices { fingers[index].origin = fingers[index].place }
        loneSince = nil
        self.wasMoving = wasMoving
        phase = .undecided
    }

    /// Decides between scroll and pinch, once both fingers have moved, or with `isDue` at once. `isDue` is true if one
    /// finger has moved alone for `settleTime`.
    private mutating func decide(isDue: Bool) {
        precondition(fingers.count == 2, "only two fingers are undecided")
        let (a, b) = (fingers[0], fingers[1])
        let ways = (a.way.length, b.way.length)
        if !isDue, !(ways.0 > settings.slop / 2 && ways.1 > settings.slop / 2) {
            if ways.0 <= settings.slop, ways.1 <= settings.slop {
                loneSince = nil
            } else if loneSince == nil {
                loneSince = now
            }
            return
        }
        let spread = abs((b.place - a.place).length - (b.origin - a.origin).length)
        let way = (a.way + b.way) / 2
        if spread > way.length {
            phase = .pinching(grip)
        } else {
            phase = .scrolling
            scroll(way)
        }
    }

    private mutating func scroll(_ way: Place) {
        let direction = settings.naturalScrolling ? 1.0 : -1.0
        let notches = way * (direction * Self.notch) / settings.scrollPixels
        let steps = scrollSteps.take(Place(x: -notches.x, y: notches.y))
        if steps.dx != 0 || steps.dy != 0 { outputs.append(.scroll(dx: steps.dx, dy: steps.dy)) }
    }

    private var grip: Grip {
        let (a, b) = (fingers[0].place, fingers[1].place)
        return Grip(middle: (a + b) / 2, distance: max(1, (b - a).length))
    }

    private mutating func pinch(from before: Grip) {
        let after = grip
        phase = .pinching(after)
        let way = after.middle - before.middle
        if zoom > 1, way != Place(x: 0, y: 0) { outputs.append(.pan(dx: way.x, dy: way.y)) }
        let scale = min(max(zoom * after.distance / before.distance, 1), settings.maximumZoom)
        guard scale != zoom else { return }
        zoom = scale
        outputs.append(.zoom(scale: scale, x: after.middle.x, y: after.middle.y))
    }
}
