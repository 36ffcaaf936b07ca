package import HelioCore

/// A broadcast to one destination, over any transport: keeps it connected, queues encoded units, and returns them with
/// media times for sending.
///
/// The transport executes the outputs, reports their results, and takes units by ``next(now:)`` whenever its connection
/// can accept one; it queues little itself. Units that have waited here too long are dropped by whole groups of
/// pictures and counted, and a keyframe is requested. A connection begins with a keyframe at media time zero.
package struct Broadcast: Engine {
    package enum Input: Sendable {
        case picture(BroadcastPicture)
        case sound(EncodedSound)
        /// The connection requested by ``Output/connect`` is open, so media may be sent.
        case connected
        /// The connection or the attempt to connect has ended, by ``Output/disconnect`` or by itself. No more inputs
        /// follow about it.
        case disconnected(BroadcastFailure)
        case measured(BroadcastMeasurement)
        /// The receiver can't decode without a keyframe.
        case wantsKeyframe
        /// The transport's format can't carry a unit that it has taken, so the unit is counted as dropped.
        case unsuitable
        /// Ends the broadcast, after the queued units have been sent.
        case end
    }

    package enum Output: Sendable, Hashable {
        /// Connects to the peer, or waits for the peer to connect. ``Input/connected`` or ``Input/disconnected(_:)``
        /// follows.
        case connect
        /// Closes the connection, or cancels the attempt to connect. If the broadcast is ending, units already taken
        /// are sent first. ``Input/disconnected(_:)`` follows.
        case disconnect
        case event(BroadcastEvent)
    }

    /// The state of the connection.
    private enum Link: Sendable {
        case waiting(until: Instant)
        case connecting(since: Instant)
        case live(since: Instant)
        /// ``Output/disconnect`` was output, because of this failure or, with `nil`, at the end of the broadcast.
        case leaving(BroadcastFailure?)
        case over
    }

    /// The maximum wait between attempts to connect, and the minimum duration of a connection that resets the wait.
    private static let longestWait = Duration.seconds(8)

    private let tracks: BroadcastTracks
    private let settings: BroadcastSettings
    private var link: Link
    private var queue: BroadcastQueue
    private var clock = BroadcastClock()
    /// The media time of the first unit sent on the connection, which becomes the connection's time zero, as earlier
    /// units may have expired in the queue.
    private var begin: Duration?
    private var retry: Retry
    private var outputs: [Output] = []
    private var state: BroadcastState
    /// The time limit for sending the queued units at the end.
    private var endsAt: Instant?
    /// The time at which the next keyframe has to be requested.
    private var keyframeAt: Instant?
    /// The time from which units have been queued without the transport taking one; `nil` while none waits.
    private var waitsSince: Instant?
    private var rate = RateWindow()
    private var earlierBytes: Int64 = 0
    private var counts = BroadcastStatistics()

    /// Starts the broadcast: ``Output/connect`` is the first output.
    package init(_ tracks: BroadcastTracks, _ settings: BroadcastSettings = BroadcastSettings(), now: Instant) {
        self.tracks = tracks
        self.settings = settings
        retry = Retry(first: settings.firstWait, longest: Self.longestWait)
        queue = BroadcastQueue(age: settings.queueAge, bytes: settings.queueBytes)
        link = .connecting(since: now)
        state = settings.connectTimeout == nil ? .waiting(nil) : .connecting
        outputs = [.connect, .event(.state(state))]
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .picture(let picture): take(picture, now)
        case .sound(let sound): take(sound, now)
        case .connected: connect(now)
        case .disconnected(let failure): disconnect(failure, now)
        case .measured(let measurement):
            counts.roundTrip = measurement.roundTrip
            counts.sentBytes = earlierBytes &+ max(0, measurement.sentBytes)
        case .wantsKeyframe: if case .live = link { askForKeyframe(now) }
        case .unsuitable: queue.refuse(.unsuitable)
        case .end: end(now)
        }
        tick(now: now)
    }

    package mutating func poll() -> Output? { outputs.isEmpty ? nil : outputs.removeFirst() }

    package var deadline: Deadline? {
        switch link {
        case .waiting(let until): return Deadline(at: until, why: "the next try to connect")
        case .connecting(let since):
            return settings.connectTimeout.map { Deadline(at: since + $0, why: "nobody answers") }
        case .live:
            var deadline = endsAt.map { Deadline(at: $0, why: "the end has taken too long") }
            if let keyframeAt { deadline = .earliest(deadline, Deadline(at: keyframeAt, why: "a keyframe is due")) }
            if let waitsSince {
                let wait = state == .stalled ? settings.stallLimit : settings.stallTime
                deadline = .earliest(deadline, Deadline(at: waitsSince + wait, why: "nothing can be sent"))
            }
            return deadline
        case .leaving: return endsAt.map { Deadline(at: $0, why: "the end has taken too long") }
        case .over: return nil
        }
    }

    package mutating func tick(now: Instant) {
        switch link {
        case .waiting(let until):
            guard now >= until else { return }
            link = .connecting(since: now)
            outputs.append(.connect)
            set(settings.connectTimeout == nil ? .waiting(nil) : .connecting)
        case .connecting(let since):
            guard let timeout = settings.connectTimeout, now - since >= timeout else { return }
            leave(BroadcastFailure(.unreachable, "The server does not answer."))
        case .live: tickLive(now)
        case .leaving:
            if let endsAt, now >= endsAt { finish(.ended) }
        case .over: break
        }
    }

    private mutating func tickLive(_ now: Instant) {
        if let endsAt {
            if now >= endsAt || queue.isEmpty {
                queue.clear(.ended)
                return leave(nil)
            }
        }
        if let waitsSince {
            if now - waitsSince >= settings.stallLimit {
                return leave(BroadcastFailure(.stalled, "The server has taken nothing for too long."))
            }
            if now - waitsSince >= settings.stallTime, state != .stalled {
                counts.stalls += 1
                set(.stalled)
            }
        }
        if queue.takeWish() { askForKeyframe(now) }
        if let keyframeAt, now >= keyframeAt { askForKeyframe(now) }
    }

    private mutating func askForKeyframe(_ now: Instant) {
        guard tracks.video != nil, endsAt == nil else {
            keyframeAt = nil
            return
        }
        outputs.append(.event(.wantsKeyframe))
        keyframeAt = now + settings.keyframePatience
    }

    private mutating func set(_ state: BroadcastState) {
        guard state != self.state else { return }
        self.state = state
        outputs.append(.event(.state(state)))
    }

    // MARK: - Media

    /// Returns true if units are accepted. Otherwise counts a unit as dropped, and returns false.
    private mutating func isTaking() -> Bool {
        if endsAt != nil {
            queue.refuse(.ended)
        } else if case .live = link {
            return true
        } else {
            if case .over = link { queue.refuse(.ended) } else { queue.refuse(.notConnected) }
        }
        return false
    }

    private mutating func take(_ picture: BroadcastPicture, _ now: Instant) {
        guard isTaking() else { return }
        guard tracks.video != nil else { return queue.refuse(.unsuitable) }
        // Limit the capture time to now, in case of a wrong capture time in the future.
        let captured = min(picture.captured, now)
        if picture.isKeyframe {
            if !clock.hasStarted { clock.start(at: captured) }
            keyframeAt = min(
                captured + max(settings.keyframeInterval, .milliseconds(1)), now + settings.keyframeInterval)
        }
        guard let time = clock.picture(captured: captured) else { return queue.refuse(.awaitingKeyframe) }
        put(BroadcastUnit(kind: picture.isKeyframe ? .keyframe : .picture, bytes: picture.annexB, time: time), now)
    }

    private mutating func take(_ sound: EncodedSound, _ now: Instant) {
        guard isTaking() else { return }
        guard sound.codec == tracks.sound?.codec else { return queue.refuse(.unsuitable) }
        let captured = min(sound.captured, now)
        if tracks.video == nil, !clock.hasStarted { clock.start(at: captured) }
        guard let time = clock.sound(captured: captured, sample: sound.mediaTime, frames: sound.frames) else {
            return queue.refuse(.beforeStart)
        }
        put(BroadcastUnit(kind: .sound, bytes: sound.payload, time: time), now)
    }

    private mutating func put(_ unit: BroadcastUnit, _ now: Instant) {
        if queue.put(unit, now: now), waitsSince == nil { waitsSince = now }
    }

    /// True while units wait for the connection to accept them. They may have expired, which ``next(now:)`` detects.
    var wantsRoom: Bool { if case .live = link { waitsSince != nil } else { false } }

    /// Removes and returns the next unit, for a connection that can accept one; `nil` if none waits.
    package mutating func next(now: Instant) -> BroadcastUnit? {
        guard case .live = link else { return nil }
        defer { tick(now: now) }
        guard let unit = takeFirst(now) else {
            waitsSince = nil
            if state == .stalled { set(.live) }
            return nil
        }
        waitsSince = queue.isEmpty ? nil : now
        if state == .stalled { set(.live) }
        switch unit.kind {
        case .keyframe:
            counts.keyframes += 1
            counts.pictures += 1
        case .picture: counts.pictures += 1
        case .sound: counts.sounds += 1
        }
        counts.mediaBytes += Int64(unit.bytes.count)
        rate.add(unit.bytes.count, now: now)
        return unit
    }

    /// Removes and returns the oldest unit that has not expired. If there is video, drops sound before a connection's
    /// first picture.
    private mutating func takeFirst(_ now: Instant) -> BroadcastUnit? {
        while var unit = queue.takeFirst(now: now) {
            if begin == nil, unit.kind != .sound || tracks.video == nil { begin = unit.time }
            if let begin, unit.time >= begin {
                unit.time -= begin
                return unit
            }
            queue.refuse(.beforeStart)
        }
        return nil
    }

    // MARK: - Connections

    private mutating func connect(_ now: Instant) {
        guard case .connecting = link else { return }
        link = .live(since: now)
        counts.connections += 1
        clock = BroadcastClock()
        begin = nil
        waitsSince = nil
        set(.live)
        askForKeyframe(now)
    }

    /// Requests that the transport close the connection.
    private mutating func leave(_ failure: BroadcastFailure?) {
        link = .leaving(failure)
        outputs.append(.disconnect)
        keyframeAt = nil
        waitsSince = nil
    }

    private mutating func disconnect(_ failure: BroadcastFailure, _ now: Instant) {
        var failure = failure
        switch link {
        case .waiting, .over: return
        case .live(let since): if now - since >= Self.longestWait { retry.succeeded() }
        case .leaving(let why): failure = why ?? failure
        case .connecting: break
        }
        earlierBytes = counts.sentBytes
        counts.roundTrip = nil
        rate = RateWindow()
        keyframeAt = nil
        waitsSince = nil
        queue.clear(.lostConnection)
        if endsAt != nil { return finish(.ended) }
        if failure.isFinal { return finish(.refused(failure)) }
        link = .waiting(until: now + retry.next(atLeast: failure.retryAfter))
        set(.waiting(failure))
    }

    private mutating func end(_ now: Instant) {
        guard endsAt == nil else { return }
        switch link {
        case .over: return
        case .waiting: finish(.ended)
        case .connecting:
            endsAt = now + settings.endTimeout
            leave(nil)
        case .live:
            endsAt = now + settings.endTimeout
            keyframeAt = nil
        case .leaving: endsAt = now + settings.endTimeout
        }
    }

    private mutating func finish(_ state: BroadcastState) {
        link = .over
        queue.clear(.ended)
        set(state)
    }

    /// True once the broadcast has ended; apart from outputs that are already queued, none follow.
    package var isOver: Bool { if case .over = link { true } else { false } }

    /// True once ``Input/end`` was handled, or the broadcast has ended for another reason.
    package var isEnding: Bool { endsAt != nil || isOver }

    /// The broadcast's statistics, with the present state of the connection.
    package mutating func statistics(now: Instant) -> BroadcastStatistics {
        var statistics = counts
        statistics.state = state
        statistics.rate = rate.rate(now: now)
        statistics.queued = queue.age(now: now)
        statistics.drops = queue.drops.byName
        return statistics
    }
}
