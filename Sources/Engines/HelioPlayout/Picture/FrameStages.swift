package import HelioCore

/// The time that one frame spent in each stage, from the change on the source's screen to its presentation on the
/// viewer's screen.
package struct FrameStages: Sendable {
    /// A stage of a frame's path, in order. The stages before `total` except `reassemble` follow one another without
    /// gap, and add up to `total`.
    package enum Stage: String, Sendable, Hashable, CaseIterable {
        /// The time from damage (the change on the screen) to capture.
        case capture
        /// The time from capture to the picture in the encoder's format.
        case convert
        /// The time from the converted picture to the encoder's last slice.
        case encode
        /// The time from the last slice until the last packet is in the socket.
        case send
        /// The time from the last packet sent to the arrival of the packet that completed the frame, including
        /// retransmissions. Uses the estimated clock offset.
        case network
        /// The time from the first packet's arrival to the frame's completion. Since slices are sent while others are
        /// being coded, this stage overlaps those before it and is not part of the sum.
        case reassemble
        /// The time from the frame's completion to the decoded picture, including the wait for earlier frames.
        case decode
        /// The time from the decoded picture to the screen.
        case present
        /// The time from damage to presentation on the viewer's screen. Uses the estimated clock offset.
        case total

        /// The stage's index in `allCases`, without a search.
        var index: Int {
            switch self {
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

    private var durations = [Duration?](repeating: nil, count: Stage.allCases.count)

    /// - Parameters:
    ///   - decoded: the time at which the frame was decoded; like `presented`, on the sink's clock.
    ///   - clock: the estimated offset between the source's and the sink's clock; `nil` if it is unknown.
    package init(_ frame: ReceivedFrame, decoded: Instant, presented: Instant, clock: ClockEstimator.Estimate?) {
        set(.reassemble, frame.firstArrival, frame.completed)
        set(.decode, frame.completed, decoded)
        set(.present, decoded, presented)
        // Frames from a third-party source carry at most a capture time, so only the sink's own stages are known.
        guard let timing = frame.sourceTiming, frame.sent != nil else { return }
        set(.capture, timing.damaged, timing.captured)
        set(.convert, timing.captured, timing.converted)
        set(.encode, timing.converted, timing.encoded)
        set(.send, timing.encoded, frame.sent)
        guard let clock else { return }
        set(.network, frame.sent.map { $0 - clock.offset }, frame.completed)
        set(.total, timing.damaged - clock.offset, presented)
    }

    /// The time in a stage; `nil` if its start or end is not known.
    package subscript(stage: Stage) -> Duration? { durations[stage.index] }

    private mutating func set(_ stage: Stage, _ start: Instant?, _ end: Instant?) {
        guard let start, let end else { return }
        durations[stage.index] = end - start
    }
}
