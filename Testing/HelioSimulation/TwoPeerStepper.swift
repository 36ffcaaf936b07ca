package import HelioCore

/// Steps two peers and the network between them through virtual time, in which hours pass in seconds.
///
/// Time advances only to the earliest deadline of the two peers and the two links, so a run needs no sleeps and is
/// deterministic.
package struct TwoPeerStepper<A: SimulatedPeer & ~Copyable, B: SimulatedPeer & ~Copyable>: ~Copyable {
    package var a: A
    package var b: B
    package var network: SimulatedNetwork
    private var time: VirtualTime

    package init(a: consuming A, b: consuming B, network: SimulatedNetwork, start: Instant = .zero) {
        self.a = a
        self.b = b
        self.network = network
        time = VirtualTime(start: start)
    }

    package var now: Instant { time.now }

    /// The maximum number of steps at the same virtual time; then `Livelock` is thrown.
    package var stepsPerInstant: Int {
        get { time.stepsPerInstant }
        set { time.stepsPerInstant = newValue }
    }

    /// Sends and delivers all datagrams that are due now, then advances to the next deadline, at most to `end`, and
    /// ticks the peers.
    ///
    /// - Returns: false if there is no deadline up to `end`; the time is then `end`.
    /// - Throws: `Livelock` if a peer's deadline never moves past the present time.
    package mutating func step(until end: Instant) throws(Livelock) -> Bool {
        try settle()
        let next = Deadline.earliest(network.deadline, .earliest(a.deadline, b.deadline))
        guard try time.advance(to: next, until: end) else { return false }
        if let due = a.deadline, due.at <= now { a.tick(now: now) }
        if let due = b.deadline, due.at <= now { b.tick(now: now) }
        return true
    }

    /// Steps until the time is `end`.
    package mutating func run(until end: Instant) throws(Livelock) {
        while try step(until: end) {}
    }

    package mutating func run(for duration: Duration) throws(Livelock) {
        try run(until: now + duration)
    }

    /// Sends and delivers datagrams until none is left at the present time.
    private mutating func settle() throws(Livelock) {
        var isBusy = true
        while isBusy {
            isBusy = false
            while let datagram = a.pollDatagram(now: now) {
                try time.countStep("a sends")
                network.aToB.send(datagram, now: now)
            }
            while let datagram = b.pollDatagram(now: now) {
                try time.countStep("b sends")
                network.bToA.send(datagram, now: now)
            }
            while let datagram = network.aToB.deliver(now: now) {
                b.receive(datagram, now: now)
                isBusy = true
            }
            while let datagram = network.bToA.deliver(now: now) {
                a.receive(datagram, now: now)
                isBusy = true
            }
        }
    }
}
