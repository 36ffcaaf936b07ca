internal import HelioCore

/// Percentiles of frames' latencies by stage, from the change on the source's screen to its presentation on the
/// viewer's screen.
package struct StageLatencies: Sendable {
    package typealias Stage = FrameStages.Stage

    package struct Summary: Sendable, Hashable {
        package var count: Int
        package var p50: Duration
        package var p95: Duration
        package var most: Duration
    }

    private var histograms = [LatencyHistogram](repeating: LatencyHistogram(), count: Stage.allCases.count)

    package init() {}

    /// Records a frame that was shown, except for stages without a known start or end.
    package mutating func record(_ frame: FrameStages) {
        for stage in Stage.allCases {
            if let duration = frame[stage] { histograms[stage.index].record(duration) }
        }
    }

    /// The percentiles of a stage since the last reset; `nil` if nothing was recorded.
    package func summary(of stage: Stage) -> Summary? {
        let histogram = histograms[stage.index]
        guard let p50 = histogram.percentile(0.5), let p95 = histogram.percentile(0.95) else { return nil }
        return Summary(count: histogram.count, p50: p50, p95: p95, most: histogram.most)
    }

    /// Discards all recorded latencies, and begins a new interval.
    package mutating func reset() {
        for index in histograms.indices { histograms[index].reset() }
    }
}
