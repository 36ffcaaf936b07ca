package import HelioCore

/// Running percentiles by stage of a frame's latency, from the change on the source's screen to the viewer's.
package struct StageLatencies: Sendable {
    /// A stage of a frame's path, in order. All but `reassemble` follow one another without gap, and add up to `total`.
    package enum Stage: String, Sendable, Hashable, CaseIterable {
        /// From damage to capture.
        case capture
        /// From capture to the encoder's format.
        case convert
        /// From there to the encoder's last slice.
        case encode
        /// From there to the last packet in the socket.
        case send
        /// From there to the packet that made the frame whole, retransmissions included. Uses the clock estimate.
        case network
        /// From the first packet's arrival to the frame being whole. Since slices travel while others are being coded,
        /// it overlaps the stages before it and is no part of the sum.
        case reassemble
        /// From the whole frame to the picture, the wait for frames before it included.
        case decode
        /// From the picture to the screen.
        case present
        /// From damage to the screen. Uses the clock estimate.
        case total
    }

    package struct Summary: Sendable, Hashable {
        package var count: Int
        package var p50: Duration
        package var p95: Duration
        package var most: Duration
    }

    private var histograms = [LatencyHistogram](repeating: LatencyHistogram(), count: Stage.allCases.count)

    package init() {}

    /// Records a frame that was shown. Stages of which an end is not known are left out.
    ///
    /// - Parameters:
    ///   - decoded: the time on the sink's clock, as is `presented`.
    ///   - clock: the offset from the source's clock to the sink's.
    package mutating func record(
        _ frame: ReceivedFrame, decoded: Instant, presented: Instant, clock: ClockEstimator.Estimate?
    ) {
        record(.reassemble, frame.firstArrival, frame.completed)
        record(.decode, frame.completed, decoded)
        record(.present, decoded, presented)
        // Of another program's frames only the capture is known, and no stage.
        guard let timing = frame.sourceTiming, frame.sent != nil else { return }
        record(.capture, timing.damaged, timing.captured)
        record(.convert, timing.captured, timing.converted)
        record(.encode, timing.converted, timing.encoded)
        record(.send, timing.encoded, frame.sent)
        guard let clock else { return }
        record(.network, frame.sent.map { $0 - clock.offset }, frame.completed)
        record(.total, timing.damaged - clock.offset, presented)
    }

    /// The percentiles of a stage since the last reset; `nil` where nothing was recorded.
    package func summary(of stage: Stage) -> Summary? {
        let histogram = histograms[Self.index(stage)]
        guard let p50 = histogram.percentile(0.5), let p95 = histogram.percentile(0.95) else { return nil }
        return Summary(count: histogram.count, p50: p50, p95: p95, most: histogram.most)
    }

    /// Begins a new interval.
    package mutating func reset() {
        for index in histograms.indices { histograms[index].reset() }
    }

    private mutating func record(_ stage: Stage, _ start: Instant?, _ end: Instant?) {
        guard let start, let end else { return }
        histograms[Self.index(stage)].record(end - start)
    }

    private static func index(_ stage: Stage) -> Int {
        switch stage {
        case .capture: 0
        case .convert: 1
        case .encode: 2
        case .send: 3
        case .network: 4
        case .reassemble: 5
        case .decode: 6
        case .present: 7
        case .total: 8
        }
    }
}
