import Foundation
package import HelioCore
package import HelioSimulation

/// The record of a path towards the viewer: datagrams received and delivered, and their queuing delays. Sizes are those
/// of UDP payloads, as in the path's rate.
package struct PathLedger: Sendable {
    /// A datagram received or delivered by the path.
    package struct Passage: Sendable {
        package var at: Instant
        package var size: Int
    }

    /// The least size of a datagram that is certainly media.
    private static let mediaBytes = 800

    package internal(set) var given: [Passage] = []
    package internal(set) var carried: [Passage] = []
    /// The datagrams that have left the queue, lost or not.
    package internal(set) var departures: [LinkDeparture] = []
    /// The number of datagrams lost at random.
    package internal(set) var lost = 0
    /// The number of datagrams that found the queue full.
    package internal(set) var overflowed = 0

    package init() {}

    /// When the first datagram of media was received.
    package var mediaBegan: Instant? { given.first { $0.size >= Self.mediaBytes }?.at }
    /// When the last datagram was received.
    package var end: Instant? { given.last?.at }

    // MARK: Rates, in bits a second

    package func givenRate(from: Instant, to: Instant) -> Double { Self.rate(of: given, from: from, to: to) }
    package func carriedRate(from: Instant, to: Instant) -> Double { Self.rate(of: carried, from: from, to: to) }

    private static func rate(of passages: [Passage], from: Instant, to: Instant) -> Double {
        let bytes = passages.reduce(0) { from <= $1.at && $1.at < to ? $0 + $1.size : $0 }
        return Double(bytes) * 8 / max(0.001, (to - from).inSeconds)
    }

    /// The highest rate received within any second of an interval.
    package func peak(from: Instant, to: Instant) -> Double {
        let part = given.filter { from <= $0.at && $0.at < to }
        var (first, sum, most) = (0, 0, 0)
        for passage in part {
            sum += passage.size
            while part[first].at + .seconds(1) <= passage.at {
                sum -= part[first].size
                first += 1
            }
            most = max(most, sum)
        }
        return Double(most) * 8
    }

    // MARK: The queue

    /// The 95th percentile of the queuing delays of datagrams that left within an interval, in milliseconds; 0 if there
    /// were none.
    package func longWait(from: Instant, to: Instant) -> Double {
        let waits = departures.filter { from <= $0.left && $0.left < to }.map(\.waited.milliseconds).sorted()
        return waits.isEmpty ? 0 : waits[min(waits.count - 1, waits.count * 95 / 100)]
    }

    // MARK: For a report

    /// For each half second from the first media datagram: Mbit/s received and delivered, and the queuing delay in
    /// milliseconds.
    package var trace: String {
        guard let began = mediaBegan, let end else { return "no media was given" }
        var lines: [String] = []
        var from = began
        while from < end {
            let to = from + .milliseconds(500)
            lines.append(
                String(
                    format: "%5.1f s: given %6.2f, carried %6.2f; queue to %5.1f", (from - began).inSeconds,
                    givenRate(from: from, to: to) / 1e6, carriedRate(from: from, to: to) / 1e6,
                    longWait(from: from, to: to)))
            from = to
        }
        return lines.joined(separator: "\n") + "\nlost \(lost), found the queue full \(overflowed)"
    }
}
