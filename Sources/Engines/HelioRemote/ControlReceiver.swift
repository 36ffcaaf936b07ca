package import HelioControlWire
package import HelioCore

/// The host's end of the control channel: converts decrypted datagrams to input to inject. Each event is injected once,
/// in the order in which the viewer's user caused it.
///
/// Held keys, buttons and touches are released when the viewer or the host requests it, and when the viewer leaves or
/// is silent for too long. One receiver serves one viewer's session: after ``Input/viewerGone`` or a `bye` nothing is
/// injected any more.
package struct ControlReceiver: ~Copyable, Engine {
    package enum Input: Sendable {
        /// The plaintext of one control datagram from the viewer.
        case datagram([UInt8])
        /// A parsed message of a control datagram.
        case message(ControlMessage)
        /// The host takes control back: everything held is released.
        case release
        /// The session has ended: everything held is released.
        case viewerGone
    }

    package enum Output: Hashable, Sendable {
        case inject(InjectedInput)
        /// The viewer requests to drive.
        case requestControl
        /// The viewer gives up control; everything that it held has been released.
        case handOver
        /// The viewer requests that this monitor be shown.
        case selectMonitor(String)
        /// A plaintext to encrypt and send: an acknowledgement of each input message, or a pong for each ping.
        case datagram([UInt8])
    }

    package enum Drop: String, CaseIterable, Hashable, Sendable {
        case malformed
        /// A message type that only a host sends.
        case unexpectedKind = "unexpected-kind"
        /// An event that was already injected.
        case duplicateEvent = "duplicate-event"
        /// An event whose predecessor is missing; the viewer will retransmit both.
        case eventAfterGap = "event-after-gap"
        case oldMotion = "old-motion"
        /// Motion that arrived after a later event was injected.
        case overtakenMotion = "overtaken-motion"
        /// A move beyond twice the announced rate. It is not acknowledged, so the viewer retransmits its newest move.
        case moveFlood = "move-flood"
        case repeatedDown = "repeated-down"
        case strayUp = "stray-up"
        /// A move of a touch that never began, or was already released.
        case strayTouch = "stray-touch"
        case afterEnd = "after-end"
    }

    package struct Configuration: Sendable {
        /// The rate of moves announced to the viewer, in events per second: 120 for desktops, 30 for Android
        /// (requirement rows 67-69).
        package var eventsPerSecond = usualRate
        /// The rate of moves for a desktop, in events per second.
        package static let usualRate: UInt16 = 120
        /// The silence of a viewer after which everything held is released.
        package var silenceTimeout = HeldLimits.releaseTime
        /// The first sequence number of events and of motion, equal to that of the sender.
        package var firstSequence: UInt32 = 0
        package init() {}
    }

    /// Maps coordinates to pixels; the owner replaces it when the captured size changes.
    package var mapper: CoordinateMapper
    package private(set) var drops = DropCounter<Drop>()

    private let configuration: Configuration
    private var nextEvent: UInt32
    private var nextMotion: UInt32
    /// The newest motion, while it waits for missing events that precede it.
    private var waiting: ControlInput.Motion?
    private var totalX: Int32 = 0
    private var totalY: Int32 = 0
    private var held = HeldInput()
    /// The last position of the touch, in pixels.
    private var touched = (x: 0, y: 0)
    private var floodGate: MoveThrottle
    private var lastHeard: Instant?
    /// True if the system may be auto-repeating a held key.
    private var mayRepeat = false
    private var locks = ToldLocks()
    private var hasEnded = false
    private var outputs: [Output] = []

    package init(mapper: CoordinateMapper, _ configuration: Configuration = Configuration()) {
        self.mapper = mapper
        self.configuration = configuration
        nextEvent = configuration.firstSequence
        nextMotion = configuration.firstSequence
        let rate = Int(configuration.eventsPerSecond)
        floodGate = MoveThrottle(eventsPerSecond: 2 * rate, burst: max(8, rate / 4))
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        if hasEnded { return drops.count(.afterEnd) }
        switch input {
        case .datagram(let bytes):
            guard let message = try? ControlMessage(parsing: bytes.span.bytes) else { return drops.count(.malformed) }
            handle(message, now)
        case .message(let message): handle(message, now)
        case .release: releaseHeld()
        case .viewerGone: end()
        }
    }

    package mutating func tick(now: Instant) {
        guard !held.isEmpty, let lastHeard else { return }
        if now >= lastHeard + configuration.silenceTimeout {
            releaseHeld()
        } else if mayRepeat, now >= lastHeard + HeldLimits.repeatTime {
            mayRepeat = false
            inject(.stopRepeating)
        }
    }

    package mutating func poll() -> Output? {
        outputs.isEmpty ? nil : outputs.removeFirst()
    }

    package var deadline: Deadline? {
        guard !held.isEmpty, let lastHeard else { return nil }
        if mayRepeat { return Deadline(at: lastHeard + HeldLimits.repeatTime, why: "silence while a key is down") }
        return Deadline(at: lastHeard + configuration.silenceTimeout, why: "silence while something is down")
    }
}

// MARK: - Messages

extension ControlReceiver {
    private mutating func handle(_ message: ControlMessage, _ now: Instant) {
        switch message {
        case .input(let input):
            lastHeard = now
            handle(input, now)
        case .keepAlive: lastHeard = now
        case .ping(let id, let t1):
            lastHeard = now
            let answer = ControlMessage.pong(id: id, t1: t1, t2: now.microseconds, t3: now.microseconds)
            outputs.append(.datagram(answer.serialised()))
        case .bye: end()
        case .acknowledgement, .pong, .cursorPosition, .driver: drops.count(.unexpectedKind)
        }
    }

    private mutating func handle(_ input: ControlInput, _ now: Instant) {
        for (index, event) in input.events.enumerated() {
            let sequence = input.firstSequence &+ UInt32(index)
            let ahead = Int32(bitPattern: sequence &- nextEvent)
            if ahead == 0 {
                nextEvent &+= 1
                apply(event)
            } else {
                drops.count(ahead < 0 ? .duplicateEvent : .eventAfterGap)
            }
        }
        if let motion = input.motion { handle(motion) }
        applyMotion(now)
        let answer = ControlAcknowledgement(
            nextEvent: nextEvent, nextMotion: nextMotion, echo: input.sentAt,
            eventsPerSecond: configuration.eventsPerSecond)
        outputs.append(.datagram(ControlMessage.acknowledgement(answer).serialised()))
    }

    /// Stores a motion in `waiting`, unless a newer motion has been received.
    private mutating func handle(_ motion: ControlInput.Motion) {
        let newest = waiting.map { $0.sequence &+ 1 } ?? nextMotion
        if Int32(bitPattern: motion.sequence &- newest) < 0 { return drops.count(.oldMotion) }
        waiting = motion
    }

    /// Injects the waiting motion if the events before it have been injected.
    private mutating func applyMotion(_ now: Instant) {
        guard let motion = waiting else { return }
        let missing = Int32(bitPattern: motion.after &- nextEvent)
        if missing > 0 { return }
        waiting = nil
        if missing < 0 {
            drops.count(.overtakenMotion)
        } else if floodGate.isOpen(at: now) {
            floodGate.take(at: now)
            apply(motion.event)
        } else {
            return drops.count(.moveFlood)
        }
        nextMotion = motion.sequence &+ 1
    }

    private mutating func end() {
        hasEnded = true
        waiting = nil
        releaseHeld()
    }
}

// MARK: - Injection

extension ControlReceiver {
    private mutating func apply(_ event: ControlEvent) {
        switch event.action {
        case .touch(let phase, let point, let pressure): touch(phase, point, pressure)
        case .pointerMove(let point): movePointer(to: point)
        case .relativeMotion(let x, let y):
            let (dx, dy) = (x &- totalX, y &- totalY)
            (totalX, totalY) = (x, y)
            if dx != 0 || dy != 0 { inject(.movePointerBy(dx: Int(dx), dy: Int(dy))) }
        case .button(let button, let isDown, let point):
            if let point { movePointer(to: point) }
            set(button, isDown: isDown)
        case .scroll(_, let dx, let dy): inject(.scroll(dx: Int(dx), dy: Int(dy)))
        case .key(let usage, _, let isDown):
            set(usage, isDown: isDown, .key(usage: usage, isDown: isDown))
        case .character(let character, let usage):
            set(usage, isDown: true, .character(character, usage: usage))
        case .locks(let told): inject(.locks(locks.take(told)))
        case .text(let text): inject(.text(text))
        case .releaseAll: releaseHeld()
        case .requestControl: outputs.append(.requestControl)
        case .handOver:
            releaseHeld()
            outputs.append(.handOver)
        case .selectMonitor(let id): outputs.append(.selectMonitor(id))
        }
    }

    /// Updates the state of a key, and injects the input if the state has changed.
    private mutating func set(_ usage: UInt16, isDown: Bool, _ input: InjectedInput) {
        guard held.setKey(usage, isDown: isDown) else { return drops.count(isDown ? .repeatedDown : .strayUp) }
        if isDown {
            if let due = locks.press(usage) { inject(.locks(due)) }
            mayRepeat = mayRepeat || USBKeyboard.modifier(of: usage) == nil
        } else {
            locks.lift(usage)
        }
        inject(input)
    }

    private mutating func set(_ button: PointerButton, isDown: Bool) {
        if held.setButton(button, isDown: isDown) {
            inject(.button(button, isDown: isDown))
        } else {
            drops.count(isDown ? .repeatedDown : .strayUp)
        }
    }

    private mutating func touch(_ phase: TouchPhase, _ point: NormalizedPoint, _ pressure: Float) {
        if phase == .move {
            guard held.isTouching else { return drops.count(.strayTouch) }
        } else if !held.setTouch(isDown: phase == .down) {
            return drops.count(phase == .down ? .repeatedDown : .strayUp)
        }
        touched = mapper.pixel(at: point)
        inject(.touch(phase, x: touched.x, y: touched.y, pressure: pressure))
    }

    private mutating func movePointer(to point: NormalizedPoint) {
        let pixel = mapper.pixel(at: point)
        inject(.movePointer(x: pixel.x, y: pixel.y))
    }

    /// Releases everything that is held: keys, then buttons, both in reverse order of pressing; a touch is cancelled.
    private mutating func releaseHeld() {
        for usage in held.keys.reversed() { inject(.key(usage: usage, isDown: false)) }
        for button in held.buttons.reversed() { inject(.button(button, isDown: false)) }
        if held.isTouching { inject(.touch(.cancelled, x: touched.x, y: touched.y, pressure: 0)) }
        held = HeldInput()
        mayRepeat = false
        locks.liftAll()
    }

    private mutating func inject(_ input: InjectedInput) {
        outputs.append(.inject(input))
    }
}
