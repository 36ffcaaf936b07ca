internal import DequeModule
import HelioCore

/// Detects by the change of the one-way delay whether a queue grows on the path: the trend of the last groups of
/// packets, against an adaptive threshold (draft-ietf-rmcat-gcc-02 section 5; Carlucci et al., "Analysis and Design of
/// the Google Congestion Control for WebRTC").
///
/// The detection uses only differences of sending times and of arrival times: the clocks may have any offset, and a
/// route change is a single outlier.
struct DelayGradient: Sendable {
    enum Signal: Sendable {
        /// The queue grows.
        case overuse
        case normal
        /// The queue drains.
        case underuse
    }

    /// Packets sent within this time form one group: the pacer's bursts.
    private static let groupSpan = Duration.milliseconds(5)
    /// Packets that arrive within this time of each other, though sent further apart, were delayed together and belong
    /// to one group.
    private static let burstGap = Duration.milliseconds(5)
    private static let longestBurst = Duration.milliseconds(100)
    private static let groups = 20
    private static let smoothing = 0.9
    private static let gain = 4.0
    private static let overuseTime = Duration.milliseconds(10)

    private struct Group {
        var firstSent: Instant
        var lastSent: Instant
        var firstArrival: Instant
        var lastArrival: Instant
        var size: Int
    }

    private(set) var signal = Signal.normal
    private var group: Group?
    private var previous: Group?
    private var firstArrival: Instant?
    /// The arrival time of each group, and its smoothed accumulated delay, in milliseconds.
    private var points = Deque<(x: Double, y: Double)>()
    private var deltas = 0
    private var accumulated = 0.0
    private var smoothed = 0.0
    private var threshold = 12.5
    private var thresholdChanged: Instant?
    private var previousTrend = 0.0
    private var overusedFor = Duration.zero
    private var overuses = 0

    /// Records a packet that arrived; called in order of sending.
    mutating func take(sent: Instant, arrival: Instant, size: Int) {
        guard var open = group else {
            group = Group(firstSent: sent, lastSent: sent, firstArrival: arrival, lastArrival: arrival, size: size)
            return
        }
        // A packet that was sent before this group is a reordered one, and is ignored.
        guard sent >= open.firstSent else { return }
        if belongs(to: open, sent: sent, arrival: arrival) {
            open.lastSent = max(open.lastSent, sent)
            open.lastArrival = max(open.lastArrival, arrival)
            open.size += size
            group = open
            return
        }
        close(open)
        previous = open
        group = Group(firstSent: sent, lastSent: sent, firstArrival: arrival, lastArrival: arrival, size: size)
    }

    private func belongs(to group: Group, sent: Instant, arrival: Instant) -> Bool {
        if sent - group.firstSent <= Self.groupSpan { return true }
        let arrivalGap = arrival - group.lastArrival
        let propagation = arrivalGap - (sent - group.lastSent)
        return propagation < .zero && arrivalGap <= Self.burstGap && arrival - group.firstArrival < Self.longestBurst
    }

    private mutating func close(_ group: Group) {
        guard let previous else { return }
        let arrivalDelta = group.lastArrival - previous.lastArrival
        let sentDelta = group.lastSent - previous.lastSent
        // The clock of arrivals has jumped, or the path was interrupted.
        guard arrivalDelta >= .zero, arrivalDelta < .seconds(3) else { return reset() }
        update(delay: (arrivalDelta - sentDelta).milliseconds, sentDelta: sentDelta, at: group.lastArrival)
    }

    private mutating func reset() {
        points.removeAll(keepingCapacity: true)
        deltas = 0
        accumulated = 0
        smoothed = 0
        previousTrend = 0
        overusedFor = .zero
        overuses = 0
        firstArrival = nil
        signal = .normal
    }

    private mutating func update(delay: Double, sentDelta: Duration, at arrival: Instant) {
        deltas = min(deltas + 1, 1000)
        let first = firstArrival ?? arrival
        firstArrival = first
        accumulated += delay
        smoothed = Self.smoothing * smoothed + (1 - Self.smoothing) * accumulated
        points.append(((arrival - first).milliseconds, smoothed))
        if points.count > Self.groups { points.removeFirst() }
        let trend = points.count == Self.groups ? slope ?? previousTrend : previousTrend
        detect(trend, sentDelta: sentDelta, at: arrival)
    }

    /// The slope of the least-squares line through the points.
    private var slope: Double? {
        let count = Double(points.count)
        let middleX = points.reduce(0) { $0 + $1.x } / count
        let middleY = points.reduce(0) { $0 + $1.y } / count
        var numerator = 0.0
        var denominator = 0.0
        for point in points {
            numerator += (point.x - middleX) * (point.y - middleY)
            denominator += (point.x - middleX) * (point.x - middleX)
        }
        return denominator == 0 ? nil : numerator / denominator
    }

    private mutating func detect(_ trend: Double, sentDelta: Duration, at arrival: Instant) {
        guard deltas >= 2 else {
            signal = .normal
            return
        }
        let modified = Double(min(deltas, 60)) * trend * Self.gain
        if modified > threshold {
            overusedFor = overuses == 0 ? sentDelta / 2 : overusedFor + sentDelta
            overuses += 1
            if overusedFor > Self.overuseTime, overuses > 1, trend >= previousTrend {
                overusedFor = .zero
                overuses = 0
                signal = .overuse
            }
        } else {
            overusedFor = .zero
            overuses = 0
            signal = modified < -threshold ? .underuse : .normal
        }
        previousTrend = trend
        adapt(to: modified, at: arrival)
    }

    /// Adapts the threshold to the usual trend of this path, slowly upwards and ignoring spikes: with a fixed threshold
    /// a flow that shares the queue with others would starve.
    private mutating func adapt(to modified: Double, at arrival: Instant) {
        let changed = thresholdChanged ?? arrival
        thresholdChanged = arrival
        guard abs(modified) <= threshold + 15 else { return }
        let rate = abs(modified) < threshold ? 0.039 : 0.0087
        let elapsed = min((arrival - changed).milliseconds, 100)
        threshold = min(600, max(6, threshold + rate * (abs(modified) - threshold) * elapsed))
    }
}
