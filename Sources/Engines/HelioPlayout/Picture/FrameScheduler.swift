package import HelioCore

/// The render queue: decides which decoded frame is shown, and when, by the rules of the specification's
/// `RenderManager` (requirement rows 45 to 51, 77).
///
/// The queue differs from the specification in three points. First, `render` returns a complete frame with its
/// decision, and the queue is bounded. Second, a frame more than `longestDelay` late is dropped only while a newer
/// frame waits. The newest frame is always shown, however late: a screen that changes once and then rests sends no
/// further frame, so without its last frame an old picture would remain until the next change. Third, a frame older
/// than the shown frame is never shown: as each frame is a complete picture, a due frame supersedes all earlier frames.
/// `PictureTiming` computes the times that keep video in sync with its sound (requirement row 60).
package struct FrameScheduler<Handle> {
    package enum Policy: Sendable, Hashable {
        /// Show the newest frame at once and drop all before it, for the least latency.
        case immediate
        /// Show each frame at its time plus `lead` and `buffer`, for even motion of video.
        case timed
    }

    package struct Configuration: Sendable, Hashable {
        package var policy = Policy.immediate
        /// The display's refresh interval: the specification's `vsyncInterval_` (requirement row 46).
        package var refreshInterval: Duration = .microseconds(16000)
        /// The lateness beyond which a frame is dropped while a newer one waits: the specification's
        /// `maxRenderDelayUs_` (requirement rows 46 and 47).
        package var longestDelay: Duration = .microseconds(70000)
        /// The maximum number of due frames; if it is exceeded, all of them but the newest are dropped. It is the
        /// specification's `maxRenderCache_` (requirement row 51). Frames that are not due yet neither count nor are
        /// dropped. With 0, only `mostFrames` limits the queue.
        package var cacheLimit = 4
        /// The time added to each frame's `pts`: the specification's `recommendMinus_`.
        package var lead: Duration = .zero
        /// The wait that `render` returns when the queue is empty (requirement row 50).
        package var emptyWait: Duration = .microseconds(16000)
        /// The maximum number of waiting frames, due or not. Each frame holds a picture buffer, which is large, and a
        /// decoder has only a few of them.
        package var mostFrames = 32

        package init(policy: Policy = .immediate) {
            self.policy = policy
        }
    }

    package struct Frame {
        package var handle: Handle
        /// The frame's index, from `ReceivedFrame.frameIndex`.
        package var index: UInt64
        /// The capture time, on the sink's clock.
        package var pts: Instant
    }

    /// The result of `render`. It includes the dropped frames, so that their picture buffers can be reused.
    package enum Action {
        /// Show the frame (requirement row 49), and call `render` again after `next`, one refresh interval.
        case show(Frame, dropped: [Frame], next: Duration)
        /// Call `render` again after this time, as no frame is due yet (requirement row 48); a wait of zero means that
        /// a late frame was dropped (requirement row 47).
        case wait(Duration, dropped: [Frame])
        /// No frame is queued (requirement row 50); call `render` again after this time.
        case idle(Duration)
    }

    /// A reason for which a frame is dropped.
    package enum Drop: String, CaseIterable, Sendable {
        /// The frame was more than `longestDelay` late while a newer frame waited.
        case late
        /// More than `cacheLimit` frames were due, or more than `mostFrames` waited.
        case backlog
        /// The immediate policy showed a newer frame, or a newer frame was due first.
        case superseded
        /// The frame was added after a newer frame had been shown.
        case outOfOrder
    }

    package private(set) var drops = DropCounter<Drop>()
    package private(set) var shown = 0
    package private(set) var buffer: Duration = .zero
    private var configuration: Configuration
    /// The waiting frames, sorted by time and then by index, so that equal times stay in order (requirement row 77).
    private var pending: [Frame] = []
    /// The index of the newest frame that was shown.
    private var lastShown: UInt64?

    package init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    package var pendingCount: Int { pending.count }

    /// Queues a decoded frame, or drops it if a newer frame was shown already. Drops the oldest frame if more than
    /// `mostFrames` wait.
    package mutating func addFrame(_ handle: Handle, index: UInt64, pts: Instant) {
        if let lastShown, index <= lastShown { return drops.count(.outOfOrder) }
        let place = pending.lastIndex { ($0.pts, $0.index) <= (pts, index) }
        pending.insert(Frame(handle: handle, index: index, pts: pts), at: place.map { $0 + 1 } ?? 0)
        if pending.count > configuration.mostFrames {
            pending.removeFirst()
            drops.count(.backlog)
        }
    }

    /// Decides which frame to show at `now`, and when to call `render` again.
    package mutating func render(now: Instant) -> Action {
        guard !pending.isEmpty else { return .idle(configuration.emptyWait) }
        if configuration.policy == .immediate {
            let dropped = dropAllButNewest(as: .superseded)
            return show(dropped: dropped)
        }
        let dropped = dropBacklog(now: now)
        let late = now - target(of: pending[0])
        if late > configuration.longestDelay, pending.count > 1 {
            drops.count(.late)
            return .wait(.zero, dropped: dropped + [pending.removeFirst()])
        }
        if late < .zero { return .wait(.zero - late, dropped: dropped) }
        return show(dropped: dropped)
    }

    /// Shows the newest frame, whatever its time. Returns `idle` if no frame waits.
    package mutating func forceRender() -> Action {
        guard !pending.isEmpty else { return .idle(configuration.emptyWait) }
        return show(dropped: dropAllButNewest(as: .superseded))
    }

    /// Sets the extra delay of frames in milliseconds, clamped to 0...1000 (requirement row 40). It applies to waiting
    /// frames, too, but not to the immediate policy.
    package mutating func updateJitterBuffer(bufferMs: Int) {
        buffer = .milliseconds(min(max(0, bufferMs), 1000))
    }

    /// Sets the display's refresh rate in Hz; a value below 1 is ignored.
    package mutating func setRefreshRate(_ rate: Int) {
        guard rate > 0 else { return }
        configuration.refreshInterval = .microseconds(1_000_000 / rate)
    }

    /// Drops all frames without counting them, as the source restarts and frame indices start anew.
    package mutating func reset() {
        pending.removeAll()
        lastShown = nil
    }

    private func target(of frame: Frame) -> Instant { frame.pts + configuration.lead + buffer }

    /// Drops all due frames but the newest, if there are more than `cacheLimit`.
    private mutating func dropBacklog(now: Instant) -> [Frame] {
        guard configuration.cacheLimit > 0 else { return [] }
        let due = pending.prefix { target(of: $0) <= now }.count
        guard due > configuration.cacheLimit else { return [] }
        let dropped = Array(pending.prefix(due - 1))
        pending.removeFirst(dropped.count)
        drops.count(.backlog, dropped.count)
        return dropped
    }

    private mutating func dropAllButNewest(as reason: Drop) -> [Frame] {
        guard pending.count > 1 else { return [] }
        let dropped = Array(pending.dropLast())
        pending.removeFirst(dropped.count)
        drops.count(reason, dropped.count)
        return dropped
    }

    private mutating func show(dropped: [Frame]) -> Action {
        let frame = pending.removeFirst()
        lastShown = max(lastShown ?? 0, frame.index)
        shown += 1
        let older = pending.filter { $0.index < frame.index }
        if !older.isEmpty {
            pending.removeAll { $0.index < frame.index }
            drops.count(.superseded, older.count)
        }
        return .show(frame, dropped: dropped + older, next: configuration.refreshInterval)
    }
}

extension FrameScheduler: Sendable where Handle: Sendable {}
extension FrameScheduler.Frame: Sendable where Handle: Sendable {}
extension FrameScheduler.Action: Sendable where Handle: Sendable {}
