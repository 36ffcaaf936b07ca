package import HelioCore

/// A screen that is captured by a system's stream, which delivers frames by callbacks.
///
/// The stream's thread stores the newest frame in a one-slot mailbox, from which the media thread takes it when the
/// encoder is ready. Damage accumulates over frames that were not taken. A stream that stops is restarted.
package final class StreamScreen<Stream: ScreenStreaming>: ScreenCapturing {
    package typealias Picture = HeldPicture<Stream.Buffer>

    package let notes: [String] = []
    package private(set) var layout: MonitorLayout
    package var size: PixelSize { layout.selected.rect.size }

    private let stream: Stream
    private let box: StreamMailbox<Stream.Buffer>
    private var waiter: any CaptureWaiting { box.waiter }
    private var settings: StreamSettings
    private var wanted: ScreenMonitor.ID?
    private var rate: CaptureRate
    private var restart = StreamRestart()
    private var restartAt: Instant?
    private var arrivedAtStart = 0
    private var isLayoutStale = false
    /// The time of the next poll of the captured window's frame, as no event reports its changes; `nil` for a display.
    private var lookAt: Instant?
    private var isLayoutNews = false
    /// The time of the last reported change, so that it is not reported again; `nil` once it was captured.
    private var told: Instant?

    /// Starts to capture.
    ///
    /// Throws `captureFailed` if there is no display, and `invalidArgument` if `monitor` is unknown.
    package init(
        stream: Stream, monitor: String?, framesPerSecond: Int, waiter: any CaptureWaiting
    ) throws(HelioError) {
        let displays = stream.displays()
        wanted = try MonitorLayout.id(named: monitor, among: displays)
        guard let layout = MonitorLayout(displays: displays, wanted: wanted) else {
            throw HelioError(.captureFailed, "There is no display that can be captured.")
        }
        self.layout = layout
        self.stream = stream
        rate = CaptureRate(ceiling: framesPerSecond, now: waiter.now)
        settings = StreamSettings(
            display: layout.selected.id, size: layout.selected.rect.size, framesPerSecond: rate.framesPerSecond,
            chroma: .yuv420, color: .bt709, generation: 1)
        box = StreamMailbox(size: settings.size, waiter: waiter)
        if layout.selected.isWindow { lookAt = waiter.now + Self.lookInterval }
        start()
    }

    private static var lookInterval: Duration { .seconds(1) }

    deinit { stream.stop() }

    /// The frames that were dropped, counted by reason.
    package var drops: DropCounter<FrameDrop> { box.withLock { $0.inbox.drops } }

    package var waker: @Sendable () -> Void { box.waker }

    package func keepAwake(_ isWatched: Bool) { stream.keepAwake(isWatched) }

    package func waitForChange(until: Instant?) throws(HelioError) -> CaptureEvent {
        while true {
            let now = waiter.now
            try follow(now)
            if let event = nextEvent() { return event }
            if let until, until <= now { return .timeout }
            waiter.wait(until: [until, restartAt, lookAt].compactMap(\.self).min())
        }
    }

    package func capture(into picture: Picture, everything: Bool) throws(HelioError) -> Captured? {
        try follow(waiter.now)
        // The caller would treat the frame as one of the previous layout until the layout change is reported.
        if isLayoutNews { return nil }
        adapt(to: picture)
        guard let taken = box.withLock({ $0.inbox.take(everything: everything) }) else { return nil }
        told = nil
        picture.buffer = taken.buffer
        let damage = taken.damage.aligned(to: 16, within: PixelRect(picture.size))
        return Captured(damage: damage, captured: taken.shown, converted: waiter.now)
    }

    package func select(_ id: ScreenMonitor.ID) throws(HelioError) {
        wanted = try layout.monitor(id).id
        isLayoutStale = true
    }

    package func makePicture(
        size: PixelSize, chroma: ChromaSampling, color: ColorDescription
    ) throws(HelioError) -> Picture {
        guard size.width >= 16, size.height >= 16, size.width % 2 == 0, size.height % 2 == 0, size.width <= 16384,
            size.height <= 16384
        else {
            throw HelioError(.invalidArgument, "A picture of \(size) can't be coded: sizes are even and at least 16.")
        }
        return HeldPicture(size: size, chroma: chroma, color: color)
    }

    /// Returns the next event to report; `nil` if there is none.
    private func nextEvent() -> CaptureEvent? {
        if isLayoutNews {
            isLayoutNews = false
            return .layoutChanged
        }
        let (since, isWoken, count) = box.withLock { shared in
            defer { shared.isWoken = false }
            return (shared.inbox.changedSince, shared.isWoken, shared.inbox.arrived)
        }
        if count > arrivedAtStart { restart.succeeded() }
        if let since, told != since {
            told = since
            if isWoken { box.withLock { $0.isWoken = true } }
            return .changed(at: since)
        }
        return isWoken ? .woken : nil
    }

    /// Handles the events of the stream and the displays since the last call, and due restarts and polls.
    private func follow(_ now: Instant) throws(HelioError) {
        let (stop, displaysChanged, arrived, replaced) = box.withLock { shared in
            defer { (shared.stop, shared.displaysChanged) = (nil, false) }
            return (shared.stop, shared.displaysChanged, shared.inbox.arrived, shared.inbox.drops[.replaced])
        }
        if let stop { try recover(from: stop, now) }
        if stop != nil || displaysChanged { isLayoutStale = true }
        if let at = lookAt, at <= now { look(now) }
        if isLayoutStale { followLayout() }
        if let at = restartAt, at <= now { start() }
        if rate.observe(arrived: arrived, replaced: replaced, now: now) {
            settings.framesPerSecond = rate.framesPerSecond
            if restartAt == nil { stream.update(settings) }
        }
    }

    private func recover(from stop: StreamStop, _ now: Instant) throws(HelioError) {
        let arrived = box.withLock { $0.inbox.arrived }
        if arrived > arrivedAtStart { restart.succeeded() }
        switch restart.step(after: stop, isWindow: layout.selected.isWindow, now: now) {
        case .restart(let at): restartAt = at
        case .fail(let error): throw error
        }
    }

    /// Checks whether the captured window was moved or resized, and schedules the next check. Ignores a new title.
    private func look(_ now: Instant) {
        lookAt = now + Self.lookInterval
        let found = MonitorLayout(displays: stream.displays(), wanted: wanted)?.selected
        if let found, (found.rect, found.scale) != (layout.selected.rect, layout.selected.scale) {
            isLayoutStale = true
        }
    }

    /// Queries the displays, and restarts the stream if the captured one has changed. Ignores an empty list, as with a
    /// closed lid or window: the stream then stops by itself.
    private func followLayout() {
        isLayoutStale = false
        guard let now = MonitorLayout(displays: stream.displays(), wanted: wanted), now != layout else { return }
        let before = layout.selected
        layout = now
        isLayoutNews = true
        if now.selected.id == before.id, now.selected.rect.size == before.rect.size { return }
        settings.display = now.selected.id
        settings.size = now.selected.rect.size
        stream.stop()
        start()
    }

    /// Starts the stream with a new generation, so that events of earlier starts are dropped.
    private func start() {
        restartAt = nil
        settings.generation += 1
        arrivedAtStart = box.withLock { [settings] shared in
            shared.generation = settings.generation
            shared.stop = nil
            shared.inbox.reset(size: settings.size)
            return shared.inbox.arrived
        }
        told = nil
        stream.start(settings, receive: box.receiver)
    }

    /// Makes the system draw its pointer into the frames instead of drawing `pointer`, which looks the same.
    package func draw(_ pointer: DrawnPointer?) {
        guard settings.showsCursor != (pointer != nil) else { return }
        settings.showsCursor = pointer != nil
        if restartAt == nil { stream.update(settings) }
    }

    /// Changes the stream's settings to the size, chroma and colour of a picture.
    private func adapt(to picture: Picture) {
        var wish = settings
        (wish.size, wish.chroma, wish.color) = (picture.size, picture.chroma, picture.color)
        if wish == settings { return }
        settings = wish
        box.withLock { $0.inbox.reset(size: wish.size) }
        told = nil
        if restartAt == nil { stream.update(wish) }
    }
}
