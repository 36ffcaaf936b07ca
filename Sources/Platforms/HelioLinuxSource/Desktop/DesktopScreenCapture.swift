package import HelioCore
internal import HelioDesktop
import HelioGround
import HelioPatch

/// Captures a monitor by a desktop's session and PipeWire: GNOME's Mutter, or the desktop's portal.
///
/// PipeWire's thread keeps the newest picture and what has changed of it; here the changed parts are converted. A still
/// screen costs nothing, and while nobody reads the desktop makes no pictures.
package final class DesktopScreenCapture: ScreenCapturing {
    package typealias Picture = PlanarPicture

    package private(set) var layout: MonitorLayout
    package var size: PixelSize { shownSize.even }
    package private(set) var shownSize: PixelSize
    package private(set) var isOff = false

    let session: any DesktopSession
    private let follower: SessionFollower
    /// The stream of the selected monitor; `nil` while there is none.
    private(set) var stream: PictureStream?
    private let wakeup: Wakeup
    /// Signalled at each news of the session or the stream.
    private let news: Wakeup
    private var sessionAwake: SessionInhibitor?
    private var pixels = DesktopPixels()

    /// The requested monitor; `nil` for the first.
    private var wanted: ScreenMonitor.ID?
    /// The monitor whose stream is open.
    private var streamed: ScreenMonitor.ID?
    private var newest: Instant
    private var pending = Region()
    private var pendingSince: Instant
    private var pendingIsNews = false
    private var isLayoutNews = false
    private var isLayoutStale = false

    /// The time for the first picture.
    private static let patience = Duration.seconds(10)

    /// Opens a stream, and waits for its first picture. Throws `captureFailed` if none comes, `invalidArgument` if
    /// there is no such monitor.
    ///
    /// - Parameter monitor: the name or number, or that of a virtual monitor; `nil` for the first, or a virtual one if
    ///   there is none.
    init(_ session: any DesktopSession, monitor: String?) throws(HelioError) {
        self.session = session
        wakeup = try Wakeup()
        let news = try Wakeup()
        self.news = news
        let monitors = try session.monitors()
        let chosen: ScreenMonitor
        if let monitor, let virtual = VirtualMonitor.monitor(monitor), session is MutterSession {
            chosen = virtual
        } else if monitors.isEmpty, monitor == nil, let virtual = VirtualMonitor.monitor(VirtualMonitor.name) {
            chosen = virtual
        } else {
            guard !monitors.isEmpty else {
                throw HelioError(
                    .captureFailed, "The desktop has no monitor that is on.", remedy: .switchOnOutputs)
            }
            chosen = try X11Monitor.choose(monitor, of: monitors)
        }
        // A virtual monitor lasts as long as it is asked for.
        wanted = monitor == nil && VirtualMonitor.size(of: chosen.id) == nil ? nil : chosen.id
        layout = MonitorLayout(
            monitors.contains { $0.id == chosen.id } ? monitors : monitors + [chosen], selected: chosen)
        shownSize = chosen.rect.size
        newest = MonotonicClock.now
        pendingSince = newest
        follower = session.follow { news.signal() }
        try open(chosen)
        let until = MonotonicClock.now + Self.patience
        while pending.isEmpty {
            guard stream != nil, MonotonicClock.now < until else {
                throw HelioError(
                    .captureFailed, session.end ?? "The desktop gives no picture: are all its monitors switched off?",
                    remedy: session.end == nil ? .switchOnOutputs : nil)
            }
            _ = news.wait(until: until)
            try readNews()
        }
        isLayoutNews = false
    }

    /// Notes for the user, about what this way of capturing lacks.
    package var notes: [String] { session.notes }

    package func waitForChange(until: Instant?) throws(HelioError) -> CaptureEvent {
        while true {
            try readNews()
            if isLayoutNews {
                isLayoutNews = false
                return .layoutChanged
            }
            if !pending.isEmpty, pendingIsNews {
                pendingIsNews = false
                return .changed(at: pendingSince)
            }
            if wakeup.take() { return .woken }
            if let until, until <= MonotonicClock.now { return .timeout }
            wakeup.wait(alongside: news.descriptor, until: until)
        }
    }

    package func capture(into picture: PlanarPicture, everything: Bool) throws(HelioError) -> Captured? {
        try readNews()
        try resume(isFirst: everything)
        if isOff || isLayoutNews || picture.sourceSize != size { return nil }
        let captured = pending.isEmpty ? MonotonicClock.now : newest
        if everything {
            pending.add(PixelRect(size))
            picture.markAllChanged()
        }
        let rects = picture.rects(dependingOn: pending)
        pending.removeAll()
        let changed = take(rects, into: picture)
        return changed.isEmpty ? nil : Captured(damage: changed, captured: captured, converted: MonotonicClock.now)
    }

    package var fillsFurtherPictures: Bool { true }

    package func capture(_ part: Region, into picture: PlanarPicture) throws(HelioError) -> Captured? {
        try readNews()
        if isOff || isLayoutNews || picture.sourceSize != size { return nil }
        let captured = MonotonicClock.now
        let changed = take(picture.rects(dependingOn: part), into: picture)
        return Captured(damage: changed, captured: captured, converted: MonotonicClock.now)
    }

    package func makePicture(
        size: PixelSize, chroma: ChromaSampling, color: ColorDescription
    ) throws(HelioError) -> PlanarPicture {
        try PlanarPicture(size: size, of: self.size, chroma: chroma, color: color)
    }

    package func select(_ id: ScreenMonitor.ID) throws(HelioError) {
        wanted = try layout.monitor(id).id
        isLayoutStale = true
        news.signal()
    }

    package var waker: @Sendable () -> Void {
        { [wakeup] in wakeup.signal() }
    }

    package func keepAwake(_ isWatched: Bool) {
        if isWatched != (sessionAwake != nil) { sessionAwake = isWatched ? SessionInhibitor() : nil }
    }

    package func draw(_ pointer: DrawnPointer?) {
        if pointer == pixels.pointer { return }
        let before = pixels.pointer
        pixels.pointer = pointer
        for place in [before, pointer].compactMap({ $0?.rect.intersection(PixelRect(size)) }) where !place.isEmpty {
            note(Region(place), since: MonotonicClock.now)
        }
    }

    private func take(_ rects: [PixelRect], into picture: PlanarPicture) -> Region {
        var changed = Region()
        stream?.withPixels(of: shownSize) { bytes, stride, isRGB in
            for rect in rects {
                let source = picture.scaler?.source(of: rect) ?? rect
                pixels.take(source.intersection(PixelRect(size)), of: bytes, stride: stride, isRGB: isRGB) {
                    picture.take($0, stride: $1, to: rect)
                }
                changed.add(picture.blocks.changedBounds(in: rect))
            }
        }
        return changed
    }

    /// Has the desktop make pictures; waits a quarter of a second for the first if there were none, as the newest shows
    /// what was on the screen when the last viewer left.
    private func resume(isFirst: Bool) throws(HelioError) {
        guard let stream, stream.resume(), isFirst else { return }
        let (before, until) = (newest, MonotonicClock.now + .milliseconds(250))
        while newest == before, !isLayoutNews, MonotonicClock.now < until {
            _ = news.wait(until: until)
            try readNews()
        }
    }

    // MARK: News

    private func readNews() throws(HelioError) {
        news.take()
        if try session.revive() {
            (stream, streamed) = (nil, nil)
            isLayoutStale = true
        }
        if let end = session.end { throw HelioError(.captureFailed, end) }
        if follower.takeMonitorNews() || isLayoutStale {
            try followMonitors()
        }
        guard let stream else { return }
        let found = stream.takeNews()
        if found.newest != .zero { newest = found.newest }
        if found.isResized {
            let isOther = shownSize != found.size || isOff || layout.selected.id != streamed
            shownSize = found.size
            isOff = false
            renewLayout()
            if isOther { isLayoutNews = true }
            pending.removeAll()
            note(Region(PixelRect(size)), since: found.since)
        } else if !found.changed.isEmpty {
            note(found.changed, since: found.since)
        }
        if let end = found.end { try lost(end) }
    }

    private func note(_ region: Region, since: Instant) {
        if pending.isEmpty { pendingSince = since }
        pendingIsNews = true
        pending.add(region)
    }

    /// Handles the end of a stream: its monitor is gone, or the session is about to end, or PipeWire has ended.
    private func lost(_ reason: String) throws(HelioError) {
        if let streamed { session.forgetStream(of: streamed) }
        (stream, streamed) = (nil, nil)
        // The session's own end may follow; it says more.
        let until = MonotonicClock.now + .milliseconds(200)
        while session.end == nil, MonotonicClock.now < until {
            if try session.revive() { break }
            _ = news.wait(until: until)
            news.take()
        }
        if let end = session.end { throw HelioError(.captureFailed, end) }
        do throws(HelioError) {
            try followMonitors()
        } catch {
            throw HelioError(
                .captureFailed, "The desktop's pictures have ended (\(reason)), and no others come: \(error.message)")
        }
    }

    /// Opens the stream of the requested monitor, or of the first if it is missing. Without any monitor the screen
    /// counts as off.
    private func followMonitors() throws(HelioError) {
        isLayoutStale = false
        let monitors = try session.monitors()
        var next = monitors.first(where: { $0.id == wanted }) ?? monitors.first
        if let wanted, session is MutterSession, let virtual = VirtualMonitor.monitor(wanted) { next = virtual }
        guard let next else {
            if !isOff { isLayoutNews = true }
            isOff = true
            return
        }
        // The layout changes with the first picture of another monitor, so that `size` is always that of the newest
        // one.
        if next.id == streamed { renewLayout() } else { try open(next) }
    }

    private func open(_ monitor: ScreenMonitor) throws(HelioError) {
        let news = news
        stream = try session.openStream(of: monitor.id) { news.signal() }
        streamed = monitor.id
    }

    /// Updates the layout; the captured monitor has the size of the newest picture.
    private func renewLayout() {
        guard let streamed, var monitors = try? session.monitors() else { return }
        guard
            var selected = monitors.first(where: { $0.id == streamed }) ?? VirtualMonitor.monitor(streamed)
                ?? layout.monitors.first(where: { $0.id == streamed })
        else { return }
        selected.rect = PixelRect(
            x: selected.rect.x, y: selected.rect.y, width: shownSize.width, height: shownSize.height)
        if let index = monitors.firstIndex(where: { $0.id == streamed }) {
            monitors[index] = selected
        } else {
            monitors.append(selected)
        }
        let now = MonitorLayout(monitors, selected: selected)
        if now != layout { isLayoutNews = true }
        layout = now
    }
}
