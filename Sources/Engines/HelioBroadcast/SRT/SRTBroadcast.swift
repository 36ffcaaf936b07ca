private import DequeModule
package import HelioCore

/// A broadcast to one destination by SRT's live mode, as a transport stream: a ``HelioBroadcast/Broadcast`` with the rules
/// of calling, listening, sending and draining.
package struct SRTBroadcast: SenderEngine {
    package typealias LinkEvent = SRTLinkEvent
    package typealias LinkCommand = SRTLinkCommand
    package typealias Input = SenderInput<SRTLinkEvent>
    package typealias Output = SenderOutput<SRTLinkCommand>

    /// The most of a host's addresses that are called.
    package static let mostAddresses = 4
    private static let statisticsInterval = Duration.seconds(1)
    /// The interval at which the buffer is measured while it has no room, and at the end: no event reports
    /// acknowledgements.
    private static let bufferInterval = Duration.milliseconds(10)
    /// The time beyond the peer's latency in which it plays what it holds.
    private static let playoutMargin = Duration.milliseconds(50)

    private enum Link {
        case closed
        case resolving
        /// A call to one address, before those to the others; libsrt's own time-out is not relied on.
        case calling(next: ArraySlice<[UInt8]>, until: Instant)
        case listening
        case open(Connection)
    }

    private struct Connection {
        var multiplexer: SRTMultiplexer
        var latency: Duration
        /// The time that may be buffered. More would arrive too late: it waits in the broadcast's queue, which drops whole
        /// groups.
        var allowance: Duration
        /// The counts of earlier connections.
        var earlier: SRTStatistics
        var measuresAt: Instant
        var step = Step.ready
        var drain: Drain?
    }

    private enum Step {
        /// The buffer has to be measured before the next unit.
        case ready
        case hasRoom
        case full(until: Instant)
        /// A unit is being sent.
        case sending
    }

    /// The end of a connection that is drained. At the connection's end the peer discards what it still holds.
    private enum Drain {
        /// Units are unacknowledged; the next look is at this instant.
        case unacknowledged(Instant)
        /// Every unit is acknowledged, and the peer has played all of them by this instant.
        case playing(until: Instant)
    }

    private let address: SRTAddress
    private let tracks: BroadcastTracks
    private var broadcast: Broadcast
    private var link = Link.closed
    private var statistics = SRTStatistics()
    /// True once listening at the port has succeeded: a program that has taken the port since may release it again.
    private var hasListened = false
    private var outputs: Deque<Output> = []

    /// Starts the broadcast, which connects or listens at once. Throws `unsupported` for tracks that a transport stream
    /// can't carry.
    package init(
        to address: SRTAddress, _ tracks: BroadcastTracks, _ settings: BroadcastSettings, now: Instant
    ) throws(HelioError) {
        guard (try? SRTMultiplexer(tracks)) != nil else {
            throw HelioError(.unsupported, "A transport stream can't carry this picture and sound.")
        }
        self.address = address
        self.tracks = tracks
        var settings = settings
        // A connection may take the time of a call to each of the host's addresses, and that of the lookup.
        settings.connectTimeout =
            address.mode == .listener ? nil : address.connectTimeout * Self.mostAddresses + .seconds(15)
        broadcast = Broadcast(tracks, settings, now: now)
        settle(now)
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        if let event = broadcast.handle(input, now: now) { take(event, now) }
        settle(now)
    }

    package mutating func tick(now: Instant) { settle(now) }

    package mutating func poll() -> Output? { outputs.popFirst() }

    package var deadline: Deadline? {
        switch link {
        case .closed, .resolving, .listening: return broadcast.deadline
        case .calling(_, let until):
            return .earliest(broadcast.deadline, Deadline(at: until, why: "an address does not answer"))
        case .open(let connection):
            var deadline = Deadline.earliest(
                broadcast.deadline, Deadline(at: connection.measuresAt, why: "statistics are due"))
            switch connection.drain {
            case .unacknowledged(let at):
                deadline = .earliest(deadline, Deadline(at: at, why: "units may be acknowledged"))
            case .playing(let until):
                deadline = .earliest(deadline, Deadline(at: until, why: "the peer has played all"))
            case nil: break
            }
            if case .full(let until) = connection.step {
                deadline = .earliest(deadline, Deadline(at: until, why: "the buffer may have room"))
            }
            return deadline
        }
    }

    package var isOver: Bool { if case .closed = link { broadcast.isOver } else { false } }

    package mutating func statistics(now: Instant) -> BroadcastStatistics { broadcast.statistics(now: now) }

    /// The statistics that only SRT has.
    package var linkStatistics: SRTStatistics { statistics }

    // MARK: - The broadcast

    /// Passes outputs and units from the broadcast to the connection until none is left.
    private mutating func settle(_ now: Instant) {
        if case .calling(let next, let until) = link, now >= until { call(next, after: .unreachable, now) }
        repeat {
            broadcast.tick(now: now)
            while let output = broadcast.poll() { take(output, now) }
        } while advance(now)
        // The time for the end may be over before everything is acknowledged.
        if broadcast.isOver { close() }
    }

    private mutating func take(_ output: Broadcast.Output, _ now: Instant) {
        switch output {
        case .event(let event): outputs.append(.event(event))
        case .connect:
            link = .resolving
            outputs.append(.link(.resolve))
        case .disconnect:
            if broadcast.isEnding, case .open(var connection) = link {
                connection.drain = .unacknowledged(now)
                link = .open(connection)
            } else {
                disconnect(.lost, now)
            }
        }
    }

    private mutating func disconnect(_ failure: SRTFailure, _ now: Instant) {
        close()
        broadcast.handle(.disconnected(failure.failure), now: now)
    }

    private mutating func close() {
        if case .closed = link { return }
        link = .closed
        outputs.append(.link(.close))
    }

    // MARK: - Connecting

    private mutating func take(_ event: SRTLinkEvent, _ now: Instant) {
        switch (event, link) {
        case (.resolved(let places), .resolving): connect(places, now)
        case (.listening, .listening): hasListened = true
        case (.connected(let latency), .calling), (.connected(let latency), .listening): open(latency, now)
        case (.rejected(let reason), .calling(let next, _)): call(next, after: SRTFailure(rejection: reason), now)
        case (.failed(let code), .calling(let next, _)): call(next, after: failure(code), now)
        case (.failed(let code), .listening): disconnect(failure(code), now)
        case (.disconnected, .listening), (.disconnected, .open): disconnect(.lost, now)
        case (.sent, .open(var connection)):
            if case .sending = connection.step { connection.step = .ready }
            link = .open(connection)
        case (.measured(let measurement), .open): take(measurement, now)
        default: break
        }
    }

    private mutating func connect(_ places: [[UInt8]], _ now: Instant) {
        guard let first = places.first else { return disconnect(.unresolved, now) }
        if address.mode == .listener {
            link = .listening
            outputs.append(.link(.listen(first)))
        } else {
            call(places.prefix(Self.mostAddresses), after: .unreachable, now)
        }
    }

    /// Calls the next of the host's addresses; gives up after the last, or after a failure that the others share.
    private mutating func call(_ places: ArraySlice<[UInt8]>, after failure: SRTFailure, _ now: Instant) {
        guard let place = places.first, !failure.failure.isFinal else { return disconnect(failure, now) }
        link = .calling(next: places.dropFirst(), until: now + address.connectTimeout + .seconds(1))
        outputs.append(.link(.call(place)))
    }

    /// Classifies an error of connecting or listening: `unusable` means that another attempt is useless without other
    /// settings, or another port.
    private func failure(_ code: Int) -> SRTFailure {
        // MJ_NOTSUP: a bad setting, or a port in use.
        (5000..<6000).contains(code) && !hasListened ? .unusable(code) : .failed(code)
    }

    // MARK: - Sending

    private mutating func open(_ latency: Duration, _ now: Instant) {
        // The tracks were checked at the start.
        guard let multiplexer = try? SRTMultiplexer(tracks) else { return disconnect(.failed(0), now) }
        link = .open(
            Connection(
                multiplexer: multiplexer, latency: latency, allowance: max(latency * 2, .milliseconds(250)),
                earlier: statistics, measuresAt: now + Self.statisticsInterval))
        statistics.latency = latency
        broadcast.handle(.connected, now: now)
    }

    /// Does what the connection can do next; returns true if the broadcast may have more for it.
    private mutating func advance(_ now: Instant) -> Bool {
        guard case .open(var connection) = link else { return false }
        defer { if case .open = link { link = .open(connection) } }
        if now >= connection.measuresAt {
            connection.measuresAt = now + Self.statisticsInterval
            outputs.append(.link(.measure(.interval)))
        }
        if case .full(let until) = connection.step, now >= until { connection.step = .ready }
        if let drain = connection.drain {
            self.drain(drain, &connection, now)
            // The broadcast has something to say once the connection has ended.
            if case .open = link { return false }
            return true
        }
        switch connection.step {
        case .sending, .full: return false
        case .ready:
            guard broadcast.wantsRoom else { return false }
            // The answer is given at once, and brings us here again.
            outputs.append(.link(.measure(.buffer)))
            connection.step = .full(until: now + Self.bufferInterval)
            return false
        case .hasRoom:
            connection.step = .ready
            guard let unit = broadcast.next(now: now) else { return true }
            guard let packets = connection.multiplexer.packets(of: unit) else {
                broadcast.handle(.unsuitable, now: now)
                return true
            }
            connection.step = .sending
            outputs.append(.link(.send(packets)))
            return true
        }
    }

    private mutating func drain(_ drain: Drain, _ connection: inout Connection, _ now: Instant) {
        switch drain {
        case .unacknowledged(let at):
            // The rest of a unit goes first.
            if case .sending = connection.step {
                connection.drain = .unacknowledged(now + Self.bufferInterval)
                return
            }
            guard now >= at else { return }
            connection.drain = .unacknowledged(now + Self.bufferInterval)
            outputs.append(.link(.measure(.buffer)))
        case .playing(let until):
            if now >= until { disconnect(.lost, now) }
        }
    }

    private mutating func take(_ measurement: SRTMeasurement, _ now: Instant) {
        guard case .open(var connection) = link else { return }
        let earlier = connection.earlier
        if measurement.purpose == .interval { statistics.rate = measurement.rate }
        statistics.unacknowledged = measurement.buffered
        statistics.sentPackets = earlier.sentPackets + measurement.sentPackets
        statistics.retransmittedPackets = earlier.retransmittedPackets + measurement.retransmittedPackets
        statistics.lostPackets = earlier.lostPackets + measurement.lostPackets
        statistics.latePackets = earlier.latePackets + measurement.latePackets
        broadcast.handle(
            .measured(BroadcastMeasurement(roundTrip: measurement.roundTrip, sentBytes: measurement.sentBytes)),
            now: now)
        if measurement.purpose == .buffer {
            if case .unacknowledged = connection.drain {
                if measurement.unacknowledged == 0 {
                    connection.drain = .playing(until: now + connection.latency + Self.playoutMargin)
                }
            } else if case .full = connection.step, measurement.buffered <= connection.allowance {
                connection.step = .hasRoom
            }
        }
        link = .open(connection)
    }
}
