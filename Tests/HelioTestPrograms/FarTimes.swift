import Foundation

/// The times that figures from home to home are made of, in seconds.
package struct FarTimes: CustomStringConvertible {
    /// The number of viewers behind each pair of routers.
    package static let runs = ProcessInfo.processInfo.environment["HELIO_FAR_RUNS"].flatMap { Int($0) } ?? 20
    /// The head of a table of `row`s.
    package static let head =
        "| routers | way | s to the first picture, p50 / p95 | s from glass to glass |\n| --- | --- | --- | --- |"

    private var all: [Double] = []

    package init() {}

    package mutating func append(_ time: Double) { all.append(time) }

    package func percentile(_ share: Double) -> Double {
        guard !all.isEmpty else { return 0 }
        return all.sorted()[min(all.count - 1, Int((Double(all.count) * share).rounded(.up)) - 1)]
    }

    package var description: String {
        [0.5, 0.95].map { String(format: "%.3f", percentile($0)) }.joined(separator: " / ")
    }

    package static func row(_ homes: FarHomes, _ way: TwoHomes.Way, first: FarTimes, glass: FarTimes) -> String {
        "| \(homes) | \(way.rawValue) | \(first) | \(glass) |"
    }

    /// The longest time to the first picture that p95 may have.
    package static func limit(_ way: TwoHomes.Way) -> Double { way == .direct ? 1.5 : 3 }
}
