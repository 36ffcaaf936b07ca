private import DequeModule
package import HelioCore

/// A broadcast to one server by RTMP: a ``HelioBroadcast/Broadcast`` with an ``RTMPPublisher`` for each connection.
package struct RTMPBroadcast: SenderEngine {
    package typealias LinkEvent = RTMPLinkEvent
    package typealias LinkCommand = RTMPLinkCommand
    package typealias Input = SenderInput<RTMPLinkEvent>
    package typealias Output = SenderOutput<RTMPLinkCommand>

    private enum Link {
        case closed
        case opening
        case open
    }

    private let address: RTMPAddress
    private let tracks: BroadcastTracks
    private let options: RTMPOptions
    private var random: SeededGenerator
    private var broadcast: Broadcast
    private var link = Link.closed
    private var publisher: RTMPPublisher?
    private var refusals = RTMPRefusals()
    private var systemRoundTrip: Duration?
    private var outputs: Deque<Output> = []

    /// Starts the broadcast, which connects at once.
    ///
    /// - Parameter seed: the seed of the handshake's random bytes, which are not secret.
    package init(
        to address: RTMPAddress, _ tracks: BroadcastTracks, options: RTMPOptions = RTMPOptions(), seed: UInt64,
        now: Instant
    ) {
        self.address = address
        self.tracks = tracks
        self.options = options
        random = SeededGenerator(seed: seed)
        var settings = options.broadcast
        settings.connectTimeout = settings.connectTimeout ?? BroadcastSettings().connectTimeout
        broadcast = Broadcast(tracks, settings, now: now)
        settle(now)
    }

    package mutating func poll() -> Output? { outputs.popFirst() }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        if let event = broadcast.handle(input, now: now) { take(event, now) }
        settle(now)
    }

    package mutating func tick(now: Instant) { settle(now) }

    package var deadline: Deadline? { broadcast.deadline }

    package var isOver: Bool { broadcast.isOver }

    /// The number of bytes passed to the connection that the kernel has not accepted yet.
    package var unsentBytes: Int { publisher?.unsentBytes ?? 0 }

    package mutating func statistics(now: Instant) -> BroadcastStatistics { broadcast.statistics(now: now) }

    private mutating func take(_ event: RTMPLinkEvent, _ now: Instant) {
        switch (event, link) {
        case (.connected, .opening):
            link = .open
            publisher = RTMPPublisher(to: address, tracks, options: options, random: &random)
        case (.failed(let failure), .opening): disconnect(failure, now)
        case (.disconnected, .opening): disconnect(.lost, now)
        case (.received(let bytes), .open): publisher?.handle(.received(bytes), now: now)
        case (.written(let count), .open): publisher?.handle(.written(count), now: now)
        case (.roundTrip(let time), .open): systemRoundTrip = time
        case (.disconnected, .open): publisher?.handle(.disconnected, now: now)
        default: break
        }
    }

    /// Passes units and outputs between the broadcast and its publisher until none is left.
    private mutating func settle(_ now: Instant) {
        measure(now)
        var isDone = false
        while !isDone {
            isDone = true
            broadcast.tick(now: now)
            if publisher?.hasRoom ?? false, let unit = broadcast.next(now: now) {
                publisher?.handle(.unit(unit), now: now)
            }
            while let output = broadcast.poll() {
                take(output, now)
                isDone = false
            }
            while let output = publisher?.poll() {
                take(output, now)
                isDone = false
            }
        }
        // Close the connection if the end has timed out before everything was sent.
        if broadcast.isOver { close() }
    }

    private mutating func measure(_ now: Instant) {
        guard let publisher else { return }
        broadcast.handle(
            .measured(
                BroadcastMeasurement(
                    roundTrip: systemRoundTrip ?? publisher.roundTrip, sentBytes: publisher.sentBytes)), now: now)
    }

    private mutating func take(_ output: Broadcast.Output, _ now: Instant) {
        switch output {
        case .event(let event): outputs.append(.event(event))
        case .connect:
            link = .opening
            outputs.append(.link(.connect))
        case .disconnect:
            if broadcast.isEnding, publisher != nil {
                publisher?.handle(.end, now: now)
            } else {
                refusals.leave(now: now)
                close()
                broadcast.handle(.disconnected(RTMPFailure.lost.failure), now: now)
            }
        }
    }

    private mutating func take(_ output: RTMPPublisher.Output, _ now: Instant) {
        switch output {
        case .send(let bytes): outputs.append(.link(.send(bytes)))
        case .live:
            refusals.begin(now: now)
            broadcast.handle(.connected, now: now)
        case .unsuitable: broadcast.handle(.unsuitable, now: now)
        case .ended(let failure): disconnect(failure ?? .lost, now)
        }
    }

    private mutating func disconnect(_ failure: RTMPFailure, _ now: Instant) {
        close()
        broadcast.handle(.disconnected(refusals.judge(failure, now: now).failure), now: now)
    }

    private mutating func close() {
        guard link != .closed else { return }
        link = .closed
        publisher = nil
        systemRoundTrip = nil
        outputs.append(.link(.close))
    }
}
