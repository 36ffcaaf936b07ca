internal import DequeModule
package import HelioControlWire
package import HelioCore
package import HelioProtection

/// The viewer's end of the control channel: sends the user's input at once, receives the position of the host's
/// pointer, and measures round trip and clock offset with pings.
///
/// This engine is separate from the session's media, so that input is encrypted and sent on the thread that received
/// it.
package final class ViewerControl: DropCounting, Engine {
    package enum Input: Sendable {
        /// An act of the viewer's user, to be sent to the host.
        case event(InputEvent)
        case datagram([UInt8])
        /// The transport of datagrams from now on: true for the signalling connection, false for UDP.
        case insideConnection(Bool)
        /// The host's permission from now on: true to drive, false to watch only.
        case permission(Bool)
        /// Measures the round trip often for the next second.
        case measureOften
        /// Releases everything held, and sends `bye`.
        case leave
    }

    package enum Output: Sendable {
        case datagram([UInt8])
        /// A datagram to be sent inside the signalling connection.
        case inside([UInt8])
        /// The host's pointer has moved to this position, normalised to the picture.
        case cursorMoved(x: Float, y: Float)
        /// The driver has changed. Another viewer's name is cleaned by `DeviceName.clean`, as it may be shown on a
        /// terminal.
        case driver(Driver)
        /// Another viewer requests control from this viewer. Its name is cleaned by `DeviceName.clean`, as it may be
        /// shown on a terminal.
        case controlRequested(by: String)
        /// A ping was answered, after this round trip.
        case roundTrip(Duration)
        /// No datagram arrives by UDP, in spite of pings. The event is repeated while pings stay unanswered.
        case unheard
    }

    /// The statistics of the control channel and its path.
    package struct Statistics: Sendable {
        package var roundTrip: Duration?
        /// The estimated offset of the host's clock from this machine's.
        package var clock: ClockEstimator
        /// Counts of drops, by name.
        package var drops: [String: Int]
    }

    /// The number of quick pings at the start, for a good estimate of the clock offset; later pings are rarer.
    private static let quickPings = 8
    private static let pingInterval = Duration.seconds(1)
    /// The silence after which pings are sent at `doubtInterval`, and `unheard` is reported after every
    /// `mostUnanswered` pings without an answer. A path that loses a third of the packets in each direction leaves that
    /// many consecutive pings unanswered about once a day.
    private static let doubtTime = Duration.milliseconds(1500)
    private static let doubtInterval = Duration.milliseconds(250)
    private static let mostUnanswered = 12

    private let viewerSSRC: SSRC
    private var allowsControl: Bool
    private var sealer: SealedSender
    private var opener: SealedReceiver
    private var sender = ControlSender()
    private var isInside = false
    private var clock = ClockEstimator()
    private var roundTrip: Duration?
    private var drops = DropCounter<ViewerControlDrop>()
    private var outputs = Deque<Output>()
    private var pingID: UInt32 = 0
    private var nextPing: Instant
    private var quickMeasuring = QuickMeasuring()
    private var lastHeard: Instant
    /// The number of unanswered pings since `doubtTime` elapsed.
    private var unanswered = 0
    private var newestCursor: UInt32?
    private var notice = DriverNotice(sequence: 0, driver: .nobody)
    /// The numbers and times of the last pings. A pong that answers none of them is dropped.
    private var pingTimes: [(id: UInt32, t1: Int64)] = []
    private static let pingsRemembered = 16

    /// Makes the channel's end, whose first ping is due at once and also shows the host the viewer's address.
    package init(_ terms: ControlTerms, crypto: any CryptoProvider, now: Instant) throws(CryptoError) {
        viewerSSRC = terms.viewer
        allowsControl = terms.allowsControl
        let crypto = terms.provider(over: crypto)
        sealer = try SealedSender(key: terms.viewerKey, crypto: crypto)
        opener = try SealedReceiver(key: terms.hostKey, crypto: crypto)
        nextPing = now
        lastHeard = now
    }

    package func poll() -> Output? { outputs.popFirst() }

    package func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .event(let event): send(event, now)
        case .datagram(let bytes): handle(bytes, now)
        case .insideConnection(let isInside):
            guard isInside != self.isInside else { return }
            self.isInside = isInside
            lastHeard = now
            unanswered = 0
            // The ping shows the host which transport to answer by.
            ping(now)
        case .permission(let allowed):
            guard allowed != allowsControl else { return }
            if !allowed { send(.releaseAll, now) }
            allowsControl = allowed
        case .measureOften: quickMeasuring.begin(now: now, next: &nextPing)
        case .leave:
            send(.releaseAll, now)
            put(ControlMessage.bye.serialised())
        }
    }

    package func tick(now: Instant) {
        if now >= nextPing { ping(now) }
        sender.tick(now: now)
        drain()
    }

    package var deadline: Deadline? {
        Deadline.earliest(Deadline(at: nextPing, why: "ping"), sender.deadline)
    }

    package var statistics: Statistics {
        Statistics(roundTrip: roundTrip, clock: clock, drops: allDrops)
    }

    private func send(_ event: InputEvent, _ now: Instant) {
        guard allowsControl else { return drops.count(.notPermitted) }
        sender.handle(.event(event), now: now)
        drain()
    }

    private func handle(_ datagram: consuming [UInt8], _ now: Instant) {
        guard datagram.span.bytes.uint32(at: 0) == viewerSSRC.rawValue else { return drops.count(.foreign) }
        datagram.removeFirst(4)
        guard let opened = opener.open(datagram) else { return drops.count(.notGenuine) }
        lastHeard = now
        unanswered = 0
        guard let message = try? ControlMessage(parsing: opened.span.bytes) else { return drops.count(.malformed) }
        switch message {
        case .acknowledgement(let acknowledgement):
            sender.handle(.acknowledged(acknowledgement), now: now)
            drain()
        case .pong(let id, let t1, let t2, let t3):
            guard let sent = pingTimes.firstIndex(where: { $0.id == id && $0.t1 == t1 }) else {
                return drops.count(.unexpected)
            }
            pingTimes.remove(at: sent)
            let time = Duration.microseconds(max(0, (now.microseconds - t1) - max(0, t3 &- t2)))
            roundTrip = time
            outputs.append(.roundTrip(time))
            clock.add(
                t1: Instant(nanoseconds: t1 * 1000), t2: Instant(nanoseconds: t2 &* 1000),
                t3: Instant(nanoseconds: t3 &* 1000), t4: now)
        case .cursorPosition(let cursor):
            // Drop a position that arrives after a newer one.
            if let newestCursor, Int32(bitPattern: cursor.sequence &- newestCursor) <= 0 {
                return drops.count(.overtakenCursor)
            }
            newestCursor = cursor.sequence
            outputs.append(.cursorMoved(x: cursor.point.x, y: cursor.point.y))
        case .driver(let notice): handle(notice)
        case .input, .ping, .keepAlive, .bye: drops.count(.unexpected)
        }
    }

    /// Handles a notice. The host sends several copies of each notice; only the first to arrive is reported.
    private func handle(_ newer: DriverNotice) {
        let ahead = Int32(bitPattern: newer.sequence &- notice.sequence)
        guard ahead > 0 else {
            if ahead < 0 { drops.count(.overtakenNotice) }
            return
        }
        let isChange = newer.driver != notice.driver
        notice = newer
        let driver: Driver =
            if case .other(let name) = newer.driver { .other(name: DeviceName.clean(name)) } else { newer.driver }
        if isChange { outputs.append(.driver(driver)) }
        if let asker = newer.asker { outputs.append(.controlRequested(by: DeviceName.clean(asker))) }
    }

    private func ping(_ now: Instant) {
        pingID &+= 1
        let isDoubted = !isInside && now - lastHeard >= Self.doubtTime
        let isQuick = pingID < Self.quickPings || quickMeasuring.isOn(now: now) && !isDoubted
        nextPing = now + (isQuick ? QuickMeasuring.interval : isDoubted ? Self.doubtInterval : Self.pingInterval)
        if isDoubted {
            unanswered += 1
            if unanswered.isMultiple(of: Self.mostUnanswered) { outputs.append(.unheard) }
        }
        if pingTimes.count == Self.pingsRemembered { pingTimes.removeFirst() }
        pingTimes.append((pingID, now.microseconds))
        put(ControlMessage.ping(id: pingID, t1: now.microseconds).serialised())
    }

    private func drain() {
        while let output = sender.poll() {
            switch output {
            case .datagram(let plaintext): put(plaintext)
            }
        }
    }

    private func put(_ plaintext: [UInt8]) {
        guard let datagram = ControlDatagram.seal(plaintext, viewer: viewerSSRC, with: &sealer) else {
            return drops.count(.sealingFailed)
        }
        outputs.append(isInside ? .inside(datagram) : .datagram(datagram))
    }

    /// Counts of all drops, by name.
    package var allDrops: [String: Int] {
        .sum(drops.named("control-"), sender.drops.named("input-"), opener.drops.named("control-"))
    }
}

/// A reason for which the viewer's control channel drops an input action or a datagram.
enum ViewerControlDrop: String, Sendable, CaseIterable, Hashable {
    /// An input action of a viewer that may only watch.
    case notPermitted = "not-permitted"
    case foreign
    case notGenuine = "not-genuine"
    case malformed
    case unexpected
    case overtakenCursor = "overtaken-cursor"
    case overtakenNotice = "overtaken-notice"
    case sealingFailed = "sealing-failed"
}
