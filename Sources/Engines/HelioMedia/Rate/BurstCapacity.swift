internal import DequeModule
import HelioCore

/// Measures the path's capacity by the packets of one burst: a link slower than the sending rate spreads them.
///
/// A frame is such a burst, so a changing screen measures its path at no cost.
struct BurstCapacity: Sendable {
    /// The longest time between two packets of one burst.
    private static let longestGap = Duration.milliseconds(2)
    private static let leastPackets = 6
    /// The shortest time that is measured; shorter spans are rounded up to it.
    private static let leastSpan = Duration.microseconds(250)
    /// The number of bursts that are remembered.
    private static let memory = 16

    private struct Burst {
        var firstSent: Instant
        var lastSent: Instant
        var firstArrival: Instant
        var lastArrival: Instant
        var firstSize: Int
        var bytes: Int
        var packets: Int
    }

    /// The rates of the last bursts, newest last, in bits a second.
    private var rates = Deque<Double>()
    private var burst: Burst?

    /// The rate that the path is known to carry for the length of a burst: the second highest rate of the last bursts,
    /// as links that batch packets can make one burst look too fast.
    var proven: Bitrate? {
        guard rates.count >= 2 else { return rates.first.map { Bitrate(bitsPerSecond: Int($0)) } }
        let sorted = rates.sorted(by: >)
        return Bitrate(bitsPerSecond: Int(sorted[1]))
    }

    /// Records a packet that arrived; called in order of sending.
    mutating func take(sent: Instant, arrival: Instant, size: Int) {
        if var open = burst, sent - open.lastSent <= Self.longestGap, sent >= open.lastSent {
            open.lastSent = sent
            open.lastArrival = max(open.lastArrival, arrival)
            open.bytes += size
            open.packets += 1
            burst = open
            return
        }
        if let burst { close(burst) }
        burst = Burst(
            firstSent: sent, lastSent: sent, firstArrival: arrival, lastArrival: arrival, firstSize: size, bytes: size,
            packets: 1)
    }

    private mutating func close(_ burst: Burst) {
        guard burst.packets >= Self.leastPackets else { return }
        let span = max(
            Self.leastSpan, max(burst.lastSent - burst.firstSent, burst.lastArrival - burst.firstArrival))
        rates.append(Double(burst.bytes - burst.firstSize) * 8 / span.inSeconds)
        if rates.count > Self.memory { rates.removeFirst() }
    }
}
