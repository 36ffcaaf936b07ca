internal import DequeModule
package import HelioCore

/// The sender of a `CubicFlow`, with slow start, cubic growth, at most one reduction per round trip, and a
/// retransmission timeout (RFC 9438).
///
/// Segments are numbered, as are transmissions. A transmission counts as lost once the third transmission after it, or
/// a later one, is acknowledged.
package struct CubicSender: SimulatedPeer, Sendable {
    /// The size of a segment with its header, in bytes.
    package static let segmentBytes = 1200

    /// The factor by which a loss multiplies the window (section 4.6).
    private static let beta = 0.7
    /// The constant C of cubic growth, in segments per second cubed (section 5.1).
    private static let pace = 0.4
    private static let leastWindow = 2.0
    private static let leastTimeout = Duration.milliseconds(200)
    private static let longestTimeout = Duration.seconds(60)
    /// The reordering threshold: a transmission counts as lost once another one, sent at least this many transmissions
    /// later, is acknowledged (RFC 5681: three duplicate acknowledgements).
    private static let reordering: UInt64 = 3

    private enum State: Sendable {
        case waiting
        /// The segment is in flight, in the transmission with this number.
        case sent(UInt64)
        case acknowledged
    }

    private struct Transmission: Sendable {
        var order: UInt64
        var sequence: UInt64
    }

    /// The growth of the window after a reduction (section 4.2): a cubic function of time, which is flat when the
    /// window reaches `origin` again.
    private struct Epoch: Sendable {
        var start: Instant
        var origin: Double
        /// The seconds from `start` until the window reaches `origin` (K).
        var rise: Double
    }

    /// The congestion window, in segments.
    package private(set) var window = 10.0
    /// The number of window reductions after a loss; `timeouts` is the number of retransmission timeouts.
    package private(set) var reductions = 0
    package private(set) var timeouts = 0

    private let start: Instant
    private var hasBegun = false
    /// The slow-start threshold, in segments.
    private var threshold = Double.infinity

    /// The states of the segments from `firstSequence`, the first unacknowledged one, on.
    private var segments = Deque<State>()
    private var firstSequence: UInt64 = 0
    private var nextOrder: UInt64 = 0
    private var inFlight = 0
    /// The transmissions in order, including acknowledged ones, which the search for losses skips.
    private var transmissions = Deque<Transmission>()
    private var highestOrder: UInt64?
    /// The numbers of the lost segments, to be retransmitted in order.
    private var lost = Deque<UInt64>()
    /// The number of the first transmission whose loss is a new loss event: the first after the last reduction.
    private var recoveryOrder: UInt64 = 0

    /// The window before the last reduction (W_max), in segments.
    private var plateau: Double?
    private var epoch: Epoch?
    /// The estimated window of Reno (W_est, section 4.3), in segments.
    private var renoWindow = 0.0

    private var smoothed: Duration?
    private var variation = Duration.zero
    private var timeout = Duration.seconds(1)
    private var lastProgress = Instant.zero

    package init(start: Instant = .zero) { self.start = start }

    // MARK: Acknowledgements

    package mutating func receive(_ datagram: [UInt8], now: Instant) {
        guard let told = CubicAcknowledgement(datagram) else { return }
        measure(now - Instant(nanoseconds: Int64(bitPattern: told.stamp)))
        var count = acknowledge(told.sequence) ? 1 : 0
        // The cumulative number also covers segments whose own acknowledgements were lost.
        while firstSequence < told.expected, !segments.isEmpty {
            if acknowledge(firstSequence) { count += 1 }
            _ = segments.popFirst()
            firstSequence += 1
        }
        highestOrder = max(highestOrder ?? told.order, told.order)
        if count > 0 {
            lastProgress = now
            timeout = freshTimeout
        }
        findLosses()
        // The acknowledgement of a transmission that was sent before the last reduction must not grow the window.
        if count > 0, told.order >= recoveryOrder { grow(by: Double(count), now) }
    }

    /// Marks a segment as acknowledged; returns false if it already was.
    private mutating func acknowledge(_ sequence: UInt64) -> Bool {
        guard sequence >= firstSequence, sequence - firstSequence < UInt64(segments.count) else { return false }
        let offset = Int(sequence - firstSequence)
        switch segments[offset] {
        case .acknowledged: return false
        case .sent: inFlight -= 1
        case .waiting: break
        }
        segments[offset] = .acknowledged
        return true
    }

    private mutating func findLosses() {
        guard let highestOrder else { return }
        while let oldest = transmissions.first, oldest.order + Self.reordering <= highestOrder {
            _ = transmissions.popFirst()
            guard oldest.sequence >= firstSequence else { continue }
            let offset = Int(oldest.sequence - firstSequence)
            guard offset < segments.count, case .sent(let order) = segments[offset], order == oldest.order else {
                continue
            }
            segments[offset] = .waiting
            inFlight -= 1
            lost.append(oldest.sequence)
            if oldest.order >= recoveryOrder { reduce() }
        }
    }

    private mutating func reduce() {
        reductions += 1
        recoveryOrder = nextOrder
        notePlateau()
        window = max(Self.leastWindow, window * Self.beta)
        threshold = window
    }

    /// Stores the window at which a loss occurred. If that window is smaller than at the last loss, stores a lower
    /// value, so that new flows get bandwidth (fast convergence, section 4.7).
    private mutating func notePlateau() {
        let isShrinking = plateau.map { window < $0 } ?? false
        plateau = isShrinking ? window * (1 + Self.beta) / 2 : window
        epoch = nil
    }

    private mutating func grow(by count: Double, _ now: Instant) {
        guard window >= threshold else {
            window += count
            return
        }
        let epoch = openEpoch(now)
        let elapsed = (now - epoch.start + (smoothed ?? .zero)).inSeconds
        let distance = elapsed - epoch.rise
        let cubic = Self.pace * distance * distance * distance + epoch.origin
        let target = min(max(cubic, window), window * 1.5)
        // Reno's estimated growth for a reduction by beta, until the window has reached the plateau again (section
        // 4.3).
        let alpha = renoWindow < (plateau ?? 0) ? 3 * (1 - Self.beta) / (1 + Self.beta) : 1
        renoWindow += alpha * count / window
        window = max(window + (target - window) / window * count, renoWindow)
    }

    /// Returns the current epoch; starts one if there was none since the last reduction.
    private mutating func openEpoch(_ now: Instant) -> Epoch {
        if let epoch { return epoch }
        renoWindow = window
        let origin = max(plateau ?? window, window)
        let begun = Epoch(start: now, origin: origin, rise: PureMath.cubeRoot((origin - window) / Self.pace))
        epoch = begun
        return begun
    }

    // MARK: Sending

    package mutating func pollDatagram(now: Instant) -> [UInt8]? {
        guard hasBegun, inFlight < Int(window) else { return nil }
        let sequence: UInt64
        if let again = nextLost() {
            sequence = again
        } else {
            sequence = firstSequence + UInt64(segments.count)
            segments.append(.waiting)
        }
        let order = nextOrder
        nextOrder += 1
        segments[Int(sequence - firstSequence)] = .sent(order)
        transmissions.append(Transmission(order: order, sequence: sequence))
        if inFlight == 0 { lastProgress = now }
        inFlight += 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.segmentBytes)
        bytes.append(bigEndian: sequence)
        bytes.append(bigEndian: order)
        bytes.append(bigEndian: UInt64(bitPattern: now.nanoseconds))
        bytes.append(contentsOf: repeatElement(0, count: Self.segmentBytes - bytes.count))
        return bytes
    }

    private mutating func nextLost() -> UInt64? {
        while let sequence = lost.popFirst() {
            guard sequence >= firstSequence else { continue }
            if case .waiting = segments[Int(sequence - firstSequence)] { return sequence }
        }
        return nil
    }

    // MARK: Time

    package mutating func tick(now: Instant) {
        guard hasBegun else {
            hasBegun = now >= start
            return
        }
        guard inFlight > 0, now >= lastProgress + timeout else { return }
        timeouts += 1
        // The threshold of the first of consecutive timeouts is kept (RFC 5681 section 3.1).
        if window > 1 {
            notePlateau()
            threshold = max(Self.leastWindow, window * Self.beta)
            window = 1
        }
        recoveryOrder = nextOrder
        timeout = min(timeout * 2, Self.longestTimeout)
        lastProgress = now
        // All segments in flight count as lost and are queued for retransmission.
        inFlight = 0
        transmissions.removeAll(keepingCapacity: true)
        lost.removeAll(keepingCapacity: true)
        for offset in 0..<segments.count {
            if case .acknowledged = segments[offset] { continue }
            segments[offset] = .waiting
            lost.append(firstSequence + UInt64(offset))
        }
    }

    package var deadline: Deadline? {
        guard hasBegun else { return Deadline(at: start, why: "a flow begins") }
        return inFlight > 0 ? Deadline(at: lastProgress + timeout, why: "retransmission timeout") : nil
    }

    /// Updates the round-trip estimate (RFC 6298 section 2).
    private mutating func measure(_ roundTrip: Duration) {
        guard let former = smoothed else {
            smoothed = roundTrip
            variation = roundTrip / 2
            return
        }
        let error = max(former - roundTrip, roundTrip - former)
        variation = (variation * 3 + error) / 4
        smoothed = (former * 7 + roundTrip) / 8
    }

    private var freshTimeout: Duration {
        max(Self.leastTimeout, (smoothed ?? .milliseconds(500)) + variation * 4)
    }
}
