private import DequeModule
package import HelioCore

/// A broadcast to one destination by WHIP: a ``HelioBroadcast/Broadcast`` whose connections are sessions at the server.
/// Each session has a ``WHIPExchange`` for its requests, and a peer connection that a driver makes.
package struct WHIPBroadcast: SenderEngine {
    package typealias LinkEvent = WHIPLinkEvent
    package typealias LinkCommand = WHIPLinkCommand
    package typealias Input = SenderInput<WHIPLinkEvent>
    package typealias Output = SenderOutput<WHIPLinkCommand>

    /// The maximum delay in the peer connection's send queue, which would drop packets that wait longer. Further units
    /// wait in the broadcast's queue.
    private static let mostWaiting = Duration.milliseconds(100)
    /// The interval at which the send queue is polled while it is full, and at the end: the peer connection reports no
    /// event about the queue.
    private static let lookInterval = Duration.milliseconds(10)
    private static let measureInterval = Duration.milliseconds(500)
    /// The time limit for sending queued packets at the end.
    private static let drainTime = Duration.milliseconds(700)
    /// The time after draining in which lost packets are still retransmitted.
    private static let repairTime = Duration.milliseconds(150)

    private struct Session {
        var exchange: WHIPExchange
        /// The time at which the offer is sent even if candidates are still being gathered; `nil` before the peer
        /// connection is made.
        var offersAt: Instant?
        var hasOffered = false
        var isClosed = false
        var isConnected = false
        var hasSound: Bool
        var profile: String?
        var failure: BroadcastFailure?
        var room = Room.unknown
        var leaving: Leaving?
        var measuresAt: Instant
        var nextFrame: UInt64 = 0
        var hasSentSound = false
        /// The instant that corresponds to media time zero.
        var origin: Instant?

        /// True if media may be sent, as far as the send queue allows.
        var isLive: Bool { isConnected && leaving == nil && failure == nil }
    }

    private enum Room {
        case unknown
        case free
        /// The send queue was full, or is being measured; it is polled again at this instant.
        case none(until: Instant)
    }

    private enum Leaving {
        case draining(until: Instant, looksAt: Instant)
        case repairing(until: Instant)
        case done
    }

    private let address: WHIPAddress
    private let token: StreamSecret?
    private let tracks: BroadcastTracks
    private let settings: WHIPSettings
    private let gatheringTime: Duration
    private var broadcast: Broadcast
    private var session: Session?
    /// The STUN and TURN servers that the last answer named, for the next session.
    private var servers: [WHIPServer] = []
    private var statistics = WHIPStatistics()
    private var outputs: Deque<Output> = []

    /// Starts the broadcast, which connects at once.
    ///
    /// - Parameter gatheringTime: the maximum wait for candidates of STUN and TURN servers, after which the offer is
    ///   sent without them.
    package init(
        to address: WHIPAddress, token: StreamSecret?, _ tracks: BroadcastTracks, _ broadcast: BroadcastSettings,
        _ settings: WHIPSettings, gatheringTime: Duration, now: Instant
    ) {
        self.address = address
        self.token = token
        self.tracks = tracks
        self.settings = settings
        self.gatheringTime = gatheringTime
        self.broadcast = Broadcast(tracks, broadcast, now: now)
        settle(now)
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        if let event = broadcast.handle(input, now: now) { take(event, now) }
        settle(now)
    }

    package mutating func tick(now: Instant) { settle(now) }

    package mutating func poll() -> Output? { outputs.popFirst() }

    package var deadline: Deadline? {
        guard let session else { return broadcast.deadline }
        var deadline = Deadline.earliest(broadcast.deadline, session.exchange.deadline)
        if !session.hasOffered, session.failure == nil, session.leaving == nil, let at = session.offersAt {
            deadline = .earliest(deadline, Deadline(at: at, why: "candidates have taken too long"))
        }
        if !session.isClosed {
            deadline = .earliest(deadline, Deadline(at: session.measuresAt, why: "statistics are due"))
        }
        if session.isLive, broadcast.wantsRoom, case .none(let until) = session.room {
            deadline = .earliest(deadline, Deadline(at: until, why: "the queue may have room"))
        }
        switch session.leaving {
        case .draining(let until, let looksAt):
            deadline = .earliest(deadline, Deadline(at: min(until, looksAt), why: "the queue may be empty"))
        case .repairing(let until):
            deadline = .earliest(deadline, Deadline(at: until, why: "retransmissions were answered"))
        case .done, nil: break
        }
        return deadline
    }

    package var isOver: Bool { broadcast.isOver && session == nil }

    package mutating func statistics(now: Instant) -> BroadcastStatistics { broadcast.statistics(now: now) }

    /// The statistics specific to WHIP.
    package var linkStatistics: WHIPStatistics { statistics }

    // MARK: - The broadcast

    /// Passes outputs and units between the broadcast and its session until none is left.
    private mutating func settle(_ now: Instant) {
        repeat {
            broadcast.tick(now: now)
            while let output = broadcast.poll() { take(output, now) }
        } while advance(now)
    }

    private mutating func take(_ output: Broadcast.Output, _ now: Instant) {
        switch output {
        case .event(let event): outputs.append(.event(event))
        case .connect:
            session = Session(
                exchange: WHIPExchange(address, token: token, settings), hasSound: tracks.sound != nil,
                measuresAt: now + Self.measureInterval)
            outputs.append(.link(.open(servers)))
        // The call has no effect on a session that has just ended by itself, which was reported already.
        case .disconnect: leave(draining: broadcast.isEnding, now)
        }
    }

    /// Advances the session by one step. Returns true if the broadcast or the session may have further outputs or
    /// units.
    private mutating func advance(_ now: Instant) -> Bool {
        session?.exchange.tick(now: now)
        var isChanged = false
        while let output = session?.exchange.poll() {
            take(output, now)
            isChanged = true
        }
        guard let session else { return isChanged }
        if let at = session.offersAt, now >= at { offer() }
        if !session.isClosed, now >= session.measuresAt {
            self.session?.measuresAt = now + Self.measureInterval
            outputs.append(.link(.measure))
        }
        switch session.leaving {
        case .draining(let until, let looksAt):
            if now >= until {
                self.session?.leaving = .repairing(until: now + Self.repairTime)
            } else if now >= looksAt {
                self.session?.leaving = .draining(until: until, looksAt: now + Self.lookInterval)
                outputs.append(.link(.look))
            }
        case .repairing(let until):
            if now >= until {
                end(now)
                isChanged = true
            }
        case .done: break
        case nil: if session.isLive { isChanged = send(now) || isChanged }
        }
        return isChanged
    }

    // MARK: - The offer

    private mutating func take(_ event: WHIPLinkEvent, _ now: Instant) {
        guard let session else { return }
        switch event {
        case .opened: self.session?.offersAt = now + gatheringTime
        case .gathered: offer()
        case .offer(let sdp): self.session?.exchange.handle(.offer(sdp), now: now)
        case .exchange(let input): self.session?.exchange.handle(input, now: now)
        case .agreed(let agreement): take(agreement, now)
        case .unusable(let why): fail(Self.incompatible("Its answer can't be used: \(why)."), now)
        case .connected:
            guard !session.isConnected, !session.isClosed, session.failure == nil else { return }
            self.session?.isConnected = true
            broadcast.handle(.connected, now: now)
        case .lost(let loss): fail(loss.failure(wasConnected: session.isConnected), now)
        case .keyframeNeeded: broadcast.handle(.wantsKeyframe, now: now)
        case .backlog(let queued, let stale): take(queued: queued, stale: stale, now)
        case .measured(let measurement):
            statistics = measurement.statistics
            statistics.profile = session.profile
            statistics.hasSound = session.hasSound && session.isConnected
            broadcast.handle(.measured(measurement.media), now: now)
        }
    }

    private mutating func offer() {
        guard let session, !session.hasOffered, !session.isClosed else { return }
        self.session?.hasOffered = true
        outputs.append(.link(.offer))
    }

    private mutating func take(_ output: WHIPExchange.Output, _ now: Instant) {
        switch output {
        case .send(let request): outputs.append(.link(.request(request)))
        case .cancel: outputs.append(.link(.cancel))
        case .answered(let answer):
            if !answer.servers.isEmpty { servers = answer.servers }
            if session?.isClosed == false { outputs.append(.link(.accept(answer))) }
        case .failed(let failure): finish(failure, now)
        case .ended: finish(nil, now)
        }
    }

    private mutating func take(_ agreement: WHIPAgreement, _ now: Instant) {
        session?.profile = agreement.profile
        if tracks.video != nil, !agreement.hasVideo {
            return fail(Self.incompatible("It has no codec in common with the picture."), now)
        }
        guard tracks.sound != nil, !agreement.hasSound else { return }
        session?.hasSound = false
        if tracks.video == nil { fail(Self.incompatible("It does not take Opus."), now) }
    }

    private static func incompatible(_ why: String) -> BroadcastFailure {
        BroadcastFailure(.incompatible, "The WHIP server does not take the stream. \(why)")
    }

    // MARK: - The end

    /// Ends the session with a failure, and deletes it at the server.
    private mutating func fail(_ failure: BroadcastFailure, _ now: Instant) {
        guard session?.failure == nil else { return }
        session?.failure = failure
        end(now)
    }

    /// Ends the session, at once or after draining.
    ///
    /// - Parameter draining: true to send queued packets first, and to retransmit lost packets for a while.
    private mutating func leave(draining: Bool, _ now: Instant) {
        guard let session, session.leaving == nil else { return }
        if draining, session.isLive {
            self.session?.leaving = .draining(until: now + Self.drainTime, looksAt: now)
        } else {
            end(now)
        }
    }

    private mutating func end(_ now: Instant) {
        close()
        session?.leaving = .done
        session?.exchange.handle(.end, now: now)
    }

    private mutating func close() {
        guard session?.isClosed == false else { return }
        session?.isClosed = true
        outputs.append(.link(.close))
    }

    private mutating func finish(_ failure: BroadcastFailure?, _ now: Instant) {
        close()
        let failure = session?.failure ?? failure
        session = nil
        statistics = WHIPStatistics()
        broadcast.handle(
            .disconnected(failure ?? BroadcastFailure(.lost, "The connection to the WHIP server is over.")), now: now)
    }

    // MARK: - Media

    private mutating func take(queued: Duration, stale: Duration, _ now: Instant) {
        if case .draining = session?.leaving, queued <= .zero {
            session?.leaving = .repairing(until: now + Self.repairTime)
        } else if session?.isLive == true, stale <= Self.mostWaiting {
            session?.room = .free
        }
    }

    /// Sends the next unit if the send queue allows. Returns true if the broadcast may have further units.
    private mutating func send(_ now: Instant) -> Bool {
        guard broadcast.wantsRoom, let session else { return false }
        switch session.room {
        case .none(let until) where now < until: return false
        case .none, .unknown:
            // The driver answers at once, which calls this function again.
            self.session?.room = .none(until: now + Self.lookInterval)
            outputs.append(.link(.look))
            return false
        case .free:
            self.session?.room = .unknown
            if let unit = broadcast.next(now: now) { send(unit, now) }
            return true
        }
    }

    private mutating func send(_ unit: BroadcastUnit, _ now: Instant) {
        guard let session else { return }
        let origin = session.origin ?? (now - unit.time)
        self.session?.origin = origin
        switch unit.kind {
        case .sound:
            guard session.hasSound else { return broadcast.handle(.unsuitable, now: now) }
            let (seconds, rest) = unit.time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            let ticks = seconds * 48000 + rest * 48000 / 1_000_000_000
            outputs.append(
                .link(
                    .sound(
                        unit.bytes, timestamp: UInt32(truncatingIfNeeded: ticks), isFirst: !session.hasSentSound,
                        captured: origin + unit.time)))
            self.session?.hasSentSound = true
        case .keyframe, .picture:
            let taken = Instant.zero + unit.time
            let slice = EncodedSlice(
                frameIndex: session.nextFrame, annexB: unit.bytes, isFirst: true, isLast: true,
                isKeyframe: unit.kind == .keyframe, timing: FrameTiming(damaged: taken, captured: taken))
            self.session?.nextFrame += 1
            outputs.append(.link(.picture(slice, captured: origin + unit.time)))
        }
    }
}
