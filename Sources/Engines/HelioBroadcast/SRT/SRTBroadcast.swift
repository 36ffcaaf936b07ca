private import DequeModule
package import HelioCore

/// A broadcast to one destination by SRT's live mode, as an MPEG transport stream: a ``HelioBroadcast/Broadcast`` with
/// the rules for calling, listening, sending and draining.
package struct SRTBroadcast: SenderEngine {
    package typealias LinkEvent = SRTLinkEvent
    package typealias LinkCommand = SRTLinkCommand
    package typealias Input = SenderInput<SRTLinkEvent>
    package typealias Output = SenderOutput<SRTLinkCommand>

    /// The maximum number of a host's addresses that are called.
    package static let mostAddresses = 4
    private static let statisticsInterval = Duration.seconds(1)
    /// The interval at which libsrt's send buffer is polled while it is full, and at the end, as no event reports
    /// acknowledgements.
    private static let bufferInterval = Duration.milliseconds(10)
    /// The margin, in addition to the latency, for the peer to play the received units.
    private static let playoutMargin = Duration.milliseconds(50)

    private enum Link {
        case closed
        case resolving
        /// Calling one address until a timeout, then the addresses in `next`. libsrt's own timeout is not relied on.
        case calling(next: ArraySlice<[UInt8]>, until: Instant)
        case listening
        case open(Connection)
    }

    private struct Connection {
        var multiplexer: SRTMultiplexer
        var latency: Duration
        /// The maximum time span of the send buffer; data queued beyond it would arrive too late. Further units wait in
        /// the broadcast's queue, which can drop whole groups of pictures.
        var allowance: Duration
        /// The totals of earlier connections, to which this connection's counts are added.
        var earlier: SRTStatistics
        var measuresAt: Instant
        var step = Step.ready
        var drain: Drain?
    }

    private enum Step {
        /// The send buffer has to be measured before the next unit.
        case ready
        case hasRoom
        case full(until: Instant)
        /// A unit is being sent.
        case sending
    }

    /// The draining of a connection before its end, as the peer discards unplayed units when the connection ends.
    private enum Drain {
        /// Units are unacknowledged; the send buffer is measured again at this instant.
        case unacknowledged(Instant)
        /// All units are acknowledged, and the peer will have played them by this instant.
        case playing(until: Instant)
    }

    private let address: SRTAddress
    private let tracks: BroadcastTracks
    private var broadcast: Broadcast
    private var link = Link.closed
    private var statistics = SRTStatistics()
    /// True once listening at the port has succeeded. A later failure is then not final, as another program that uses
    /// the port may release it again.
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
        // Allow the time of a call to each of the host's addresses, and of the lookup.
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

    /// The statistics specific to SRT.
    package var linkStatistics: SRTStatistics { statistics }

    // MARK: - The broadcast

    /// Passes outputs and units from the broadcast to the connection until none is left.
    private mutating func settle(_ now: Instant) {
        if case .calling(let next, let until) = link, now >= until { call(next, after: .unreachable, now) }
        repeat {
            broadcast.tick(now: now)
            while let output = broadcast.poll() { take(output, now) }
        } while advance(now)
        // Close the connection if the end has timed out before everything was acknowledged.
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

    /// Calls the next of the host's addresses. Disconnects with `failure` if none is left, or if the failure is final.
    private mutating func call(_ places: ArraySlice<[UInt8]>, after failure: SRTFailure, _ now: Instant) {
        guard let place = places.first, !failure.failure.isFinal else { return disconnect(failure, now) }
        link = .calling(next: places.dropFirst(), until: now + address.connectTimeout + .seconds(1))
        outputs.append(.link(.call(place)))
    }

    /// Classifies an error code of libsrt from calling or listening. `unusable` means that another attempt is useless
    /// unless a setting or the port is changed.
    private func failure(_ code: Int) -> SRTFailure {
        // The codes of MJ_NOTSUP (5000 to 5999) include those of an invalid setting and of a port in use.
        (5000..<6000).contains(code) && !hasListened ? .unusable(code) : .failed(code)
    }

    // MARK: - Sending

    private mutating func open(_ latency: Duration, _ now: Instant) {
        // `SRTMultiplexer` can't fail here, as `init` has checked the tracks.
        guard let multiplexer = try? SRTMultiplexer(tracks) else { return disconnect(.failed(0), now) }
        link = .open(
            Connection(
                multiplexer: multiplexer, latency: latency, allowance: max(latency * 2, .milliseconds(250)),
                earlier: statistics, measuresAt: now + Self.statisticsInterval))
        statistics.latency = latency
        broadcast.handle(.connected, now: now)
    }

    /// Advances the connection by one step. Returns true if the broadcast may have further outputs or units for it.
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
            // The broadcast may have further outputs once the connection has ended.
            if case .open = link { return false }
            return true
        }
        switch connection.step {
        case .sending, .full: return false
        case .ready:
            guard broadcast.wantsRoom else { return false }
            // The driver answers at once, which calls this function again.
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
            // Wait until the unit under way is sent completely.
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
