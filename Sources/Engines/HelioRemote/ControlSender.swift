package import HelioControlWire
package import HelioCore

/// The viewer's end of the control channel: converts the user's input to datagrams, which the caller encrypts.
///
/// - Downs, ups, keys, text and scrolls are sent at once, and retransmitted until acknowledged: in every further
///   datagram, and after a timeout that adapts to the round trip.
/// - Moves are limited to the rate that the host announces. The first of a burst is sent at once; later moves coalesce
///   to the newest, which is sent as soon as the rate allows, and retransmitted until acknowledged. If a move is not
///   acknowledged yet when another event follows, it is sent as a reliable event before that event, so that a drag ends
///   at the right place.
/// - While anything is held, keep-alives are sent in the absence of input, so that the host can distinguish a long
///   press from a lost viewer.
///
/// The queue holds `capacity` events. When it is full, scrolls coalesce if possible. Other scrolls, downs, text, lock
/// states, requests to the host, and moves superseded by another kind of move are refused and counted. Ups are never
/// refused.
package struct ControlSender: ~Copyable, Engine {
    package enum Input: Sendable {
        case event(InputEvent)
        case acknowledged(ControlAcknowledgement)
    }

    package enum Output: Hashable, Sendable {
        case datagram([UInt8])
    }

    package enum Drop: String, CaseIterable, Hashable, Sendable {
        /// A move that a newer one replaced before it could be sent.
        case coalescedMove = "coalesced-move"
        case coalescedScroll = "coalesced-scroll"
        case refusedDown = "refused-down"
        case refusedMove = "refused-move"
        case refusedScroll = "refused-scroll"
        case refusedText = "refused-text"
        /// The lock state of the keyboard; it is sent again when it changes, and when the viewer gets the focus again.
        case refusedLocks = "refused-locks"
        /// A request to drive, to hand control over, or to show another monitor.
        case refusedWish = "refused-wish"
        /// A down of a key or button that is already held, for example by the viewer's auto-repeat; the host repeats
        /// keys itself.
        case repeatedDown = "repeated-down"
        case strayUp = "stray-up"
        /// A move or an end of a touch that never began.
        case strayTouch = "stray-touch"
        /// A key that is not a usage of ``USBKeyboard``.
        case unknownKey = "unknown-key"
        case notFinite = "not-finite"
        /// An acknowledgement of events that were never sent.
        case falseAcknowledgement = "false-acknowledgement"
    }

    package struct Configuration: Sendable {
        /// The rate of moves until the host has announced its own.
        package var eventsPerSecond: UInt16 = 120
        /// The maximum number of queued events, enough for input that a program types at once, such as a page of text.
        package var capacity = 4096
        /// The interval of keep-alives while something is held: short enough that three may be lost within the host's
        /// ``HeldLimits/repeatTime``.
        package var keepAliveInterval: Duration = .milliseconds(100)
        /// The first sequence number of events and of motion; the receiver must know it.
        package var firstSequence: UInt32 = 0
        package init() {}
    }

    private struct Motion {
        var event: ControlEvent
        /// The sequence number; `nil` until the motion is sent.
        var sequence: UInt32?
    }

    package private(set) var drops = DropCounter<Drop>()

    private let configuration: Configuration
    private var queue: ReliableQueue
    private var throttle: MoveThrottle
    private var timer = RetransmissionTimer()
    /// The newest motion, until it is acknowledged.
    private var motion: Motion?
    private var nextMotion: UInt32
    private var held = HeldInput()
    private var lastPoint = NormalizedPoint.center
    private var totalX: Int32 = 0
    private var totalY: Int32 = 0
    private var isRelative = false
    /// The time at which input was last sent, from which the retransmission timeout counts; keep-alives don't change
    /// it.
    private var inputSent: Instant?
    /// The time at which any datagram was last sent.
    private var lastSent: Instant?
    private var outputs: [Output] = []

    package init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        queue = ReliableQueue(firstSequence: configuration.firstSequence, capacity: configuration.capacity)
        throttle = MoveThrottle(eventsPerSecond: Int(configuration.eventsPerSecond))
        nextMotion = configuration.firstSequence
    }

    /// True if all input has been sent and acknowledged.
    package var isIdle: Bool { queue.events.isEmpty && motion == nil }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .event(let event):
            handle(event, now)
            if queue.hasUnsentInWindow { send(now) }
        case .acknowledged(let acknowledgement): handle(acknowledgement, now)
        }
    }

    package mutating func tick(now: Instant) {
        if let motion, motion.sequence == nil, throttle.isOpen(at: now) { send(now) }
        if let at = retransmitsAt, now >= at {
            timer.expired()
            send(now)
        }
        if let at = keepsAliveAt, now >= at {
            emit(.keepAlive, now)
        }
    }

    package mutating func poll() -> Output? {
        outputs.isEmpty ? nil : outputs.removeFirst()
    }

    package var deadline: Deadline? {
        var result: Deadline?
        if let motion, motion.sequence == nil, let at = throttle.opensAt {
            result = Deadline(at: at, why: "throttled move")
        }
        if let at = retransmitsAt { result = .earliest(result, Deadline(at: at, why: "retransmission")) }
        if let at = keepsAliveAt { result = .earliest(result, Deadline(at: at, why: "keep-alive")) }
        return result
    }

    private var retransmitsAt: Instant? {
        guard queue.sentCount > 0 || motion?.sequence != nil else { return nil }
        return inputSent.map { $0 + timer.timeout }
    }

    private var keepsAliveAt: Instant? {
        held.isEmpty ? nil : lastSent.map { $0 + configuration.keepAliveInterval }
    }
}

// MARK: - User input

extension ControlSender {
    private mutating func handle(_ event: InputEvent, _ now: Instant) {
        switch event {
        case .pointerMove(let x, let y):
            guard let point = NormalizedPoint(clampingX: x, y: y) else { return drops.count(.notFinite) }
            lastPoint = point
            isRelative = false
            move(.pointerMove(point), now)
        case .relativeMove(let dx, let dy):
            totalX &+= Int32(truncatingIfNeeded: dx)
            totalY &+= Int32(truncatingIfNeeded: dy)
            isRelative = true
            move(.relativeMotion(totalX: totalX, totalY: totalY), now)
        case .button(let button, let isDown, let x, let y):
            guard admits(isDown, isHeld: held.contains(button)) else { return }
            if let point = NormalizedPoint(clampingX: x, y: y) { lastPoint = point }
            _ = held.setButton(button, isDown: isDown)
            append(.button(button, isDown: isDown, at: isRelative ? nil : lastPoint), now)
        case .scroll(let dx, let dy): scroll(Int16(clamping: dx), Int16(clamping: dy), now)
        case .key(let usage, let modifiers, let isDown):
            guard USBKeyboard.usages.contains(usage) else { return drops.count(.unknownKey) }
            guard admits(isDown, isHeld: held.contains(key: usage)) else { return }
            _ = held.setKey(usage, isDown: isDown)
            append(.key(usage: usage, modifiers: modifiers, isDown: isDown), now)
        case .character(let character, let usage):
            guard USBKeyboard.usages.contains(usage) else { return drops.count(.unknownKey) }
            guard admits(true, isHeld: held.contains(key: usage)) else { return }
            _ = held.setKey(usage, isDown: true)
            append(.character(character, usage: usage), now)
        case .locks(let locks):
            guard queue.room > 0 else { return drops.count(.refusedLocks) }
            append(.locks(locks), now)
        case .text(let text):
            let pieces = text.pieces(ofAtMost: ControlEvent.maximumTextSize)
            guard pieces.count <= queue.room else { return drops.count(.refusedText) }
            for piece in pieces { append(.text(piece), now) }
        case .touch(let phase, let x, let y, let pressure): touch(phase, x, y, pressure, now)
        case .releaseAll: releaseAll(now)
        case .requestControl: wish(.requestControl, now)
        case .handOver:
            releaseAll(now)
            wish(.handOver, now)
        case .selectMonitor(let id):
            guard (1...ControlEvent.maximumMonitorSize).contains(id.utf8.count) else {
                return drops.count(.refusedWish)
            }
            wish(.selectMonitor(id), now)
        }
    }

    private mutating func wish(_ action: ControlEvent.Action, _ now: Instant) {
        guard queue.room > 0 else { return drops.count(.refusedWish) }
        append(action, now)
    }

    /// Returns whether to send a down or an up. Counts a drop if not.
    private mutating func admits(_ isDown: Bool, isHeld: Bool) -> Bool {
        if isDown == isHeld {
            drops.count(isDown ? .repeatedDown : .strayUp)
            return false
        }
        if isDown, queue.room == 0 {
            drops.count(.refusedDown)
            return false
        }
        return true
    }

    private mutating func touch(_ phase: TouchPhase, _ x: Float, _ y: Float, _ pressure: Float, _ now: Instant) {
        let point = NormalizedPoint(clampingX: x, y: y)
        if phase != .down, !held.isTouching { return drops.count(.strayTouch) }
        if phase == .move, point == nil { return drops.count(.notFinite) }
        if phase != .move {
            guard admits(phase == .down, isHeld: held.isTouching) else { return }
            _ = held.setTouch(isDown: phase == .down)
        }
        lastPoint = point ?? lastPoint
        isRelative = false
        let action = ControlEvent.Action.touch(
            phase, lastPoint, pressure: pressure.isFinite ? min(max(pressure, 0), 1) : 0)
        if phase == .move { move(action, now) } else { append(action, now) }
    }

    private mutating func scroll(_ dx: Int16, _ dy: Int16, _ now: Instant) {
        guard dx != 0 || dy != 0 else { return }
        if case .scroll(let point, let x, let y) = queue.lastUnsent?.action, motion == nil || queue.room == 0 {
            let (sumX, overflowX) = x.addingReportingOverflow(dx)
            let (sumY, overflowY) = y.addingReportingOverflow(dy)
            if !overflowX, !overflowY {
                drops.count(.coalescedScroll)
                return queue.replaceLast(with: stamped(.scroll(at: point, dx: sumX, dy: sumY), now))
            }
        }
        guard queue.room > 0 else { return drops.count(.refusedScroll) }
        append(.scroll(at: lastPoint, dx: dx, dy: dy), now)
    }

    private mutating func releaseAll(_ now: Instant) {
        let modifiers = held.modifiers
        let wasEmpty = held.isEmpty
        for usage in held.keys.reversed() { append(.key(usage: usage, modifiers: modifiers, isDown: false), now) }
        for button in held.buttons.reversed() {
            append(.button(button, isDown: false, at: isRelative ? nil : lastPoint), now)
        }
        if held.isTouching { append(.touch(.cancelled, lastPoint, pressure: 0), now) }
        held = HeldInput()
        // The host may hold input that this end has already released.
        if !wasEmpty || queue.room > 0 { append(.releaseAll, now) }
    }

    private func stamped(_ action: ControlEvent.Action, _ now: Instant) -> ControlEvent {
        ControlEvent(action, timestamp: UInt64(clamping: now.microseconds))
    }

    /// Appends a reliable event, after any pending motion.
    private mutating func append(_ action: ControlEvent.Action, _ now: Instant) {
        settleMotion(now)
        queue.append(stamped(action, now))
    }

    private mutating func move(_ action: ControlEvent.Action, _ now: Instant) {
        if let motion {
            if !motion.event.action.isSameMotion(as: action) {
                if queue.room > 0 { settleMotion(now) } else { drops.count(.refusedMove) }
            } else if motion.sequence == nil {
                drops.count(.coalescedMove)
            }
        }
        motion = Motion(event: stamped(action, now))
        if throttle.isOpen(at: now) { send(now) }
    }

    /// Turns pending motion into a reliable event, so that it is injected before the event after it.
    private mutating func settleMotion(_ now: Instant) {
        guard let motion else { return }
        if motion.sequence == nil { throttle.take(at: now) }
        queue.append(motion.event)
        self.motion = nil
    }
}

// MARK: - Datagrams

extension ControlSender {
    private mutating func send(_ now: Instant) {
        let window = queue.window
        var carried: ControlInput.Motion?
        if let motion, motion.sequence != nil || throttle.isOpen(at: now) {
            let sequence = motion.sequence ?? nextMotion
            if motion.sequence == nil {
                throttle.take(at: now)
                nextMotion &+= 1
                self.motion?.sequence = sequence
            }
            carried = ControlInput.Motion(sequence: sequence, after: queue.nextSequence, event: motion.event)
        }
        guard !window.isEmpty || carried != nil else { return }
        queue.sent(window.count)
        let input = ControlInput(
            sentAt: UInt32(truncatingIfNeeded: now.microseconds), firstSequence: queue.firstSequence,
            events: Array(window), motion: carried)
        emit(.input(input), now)
        inputSent = now
    }

    private mutating func emit(_ message: ControlMessage, _ now: Instant) {
        outputs.append(.datagram(message.serialised()))
        lastSent = now
    }

    private mutating func handle(_ acknowledgement: ControlAcknowledgement, _ now: Instant) {
        let aheadMotion = Int32(bitPattern: acknowledgement.nextMotion &- nextMotion)
        guard aheadMotion <= 0, let done = queue.acknowledge(next: acknowledgement.nextEvent) else {
            return drops.count(.falseAcknowledgement)
        }
        let roundTrip = UInt32(truncatingIfNeeded: now.microseconds) &- acknowledgement.echo
        // Ignore round trips of 10 s or more: the echoed time is false, or the path is too slow for any timeout here.
        if roundTrip < 10_000_000 { timer.measured(.microseconds(Int64(roundTrip))) }
        throttle.eventsPerSecond = Int(acknowledgement.eventsPerSecond)
        var hasProgressed = done > 0
        if let sequence = motion?.sequence, Int32(bitPattern: acknowledgement.nextMotion &- sequence) > 0 {
            motion = nil
            hasProgressed = true
        }
        if hasProgressed { timer.progressed() }
        if queue.hasUnsentInWindow { send(now) }
    }
}
