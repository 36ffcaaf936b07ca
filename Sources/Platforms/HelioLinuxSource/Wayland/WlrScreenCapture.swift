package import HelioCore
import HelioGround
import HelioPatch
internal import HelioWayland

/// Captures an output of a Wayland compositor of wlroots' kind (sway, labwc, Hyprland, river, Wayfire, niri, COSMIC):
/// only after a change, and only the changed parts are converted.
///
/// A copy is asked for as soon as the last one is read, before its pixels are converted, so that the compositor answers
/// right after the next change. While nobody reads there is no copy, and a still screen costs nothing. Copies are made
/// by ext-image-copy-capture, or by wlroots' screencopy where that is missing or gives no picture.
package final class WlrScreenCapture: ScreenCapturing {
    package typealias Picture = PlanarPicture

    /// Notes for the user, about what this way of capturing lacks.
    package var notes: [String] {
        copies.pointer == nil ? ["the pointer is a part of the picture: the compositor does not tell its shape"] : []
    }
    package private(set) var layout: MonitorLayout
    package var size: PixelSize { shownSize.even }
    package private(set) var shownSize: PixelSize
    package private(set) var isOff = false

    private let connection: WaylandConnection
    private var outputs: WaylandOutputs
    private var copies: any PictureCopies
    private var pixels = WlrPixels()
    private let wakeup: Wakeup
    private var isKeptAwake = false
    /// Inhibits the desktop's screen blanking while a viewer watches, if the session has a service for that.
    private var sessionAwake: SessionInhibitor?

    /// The requested monitor; `nil` for the first.
    private var wanted: ScreenMonitor.ID?
    /// The output whose copies are asked for; `nil` while there is none.
    private var output: WaylandOutput?
    /// The turn of the newest copy, and the time at which it came.
    private var transform = OutputTransform.normal
    private var copiedAt: Instant
    /// True if the newest copy has not been captured yet.
    private var isUnread = false
    /// True if the next copy counts as changed everywhere, as changes before it may have been missed.
    private var needsWhole = true
    /// The copies in a row that failed, and the time of the next try.
    private var failures = 0
    private var nextTry: Instant?

    /// The changed parts, in pixels as they are seen.
    private var pending = Region()
    private var pendingSince: Instant
    private var pendingIsNews = false
    private var isLayoutNews = false

    /// The failed copies in a row after which the output counts as off.
    private static let mostFailures = 3
    /// The age from which the newest copy is too old for a viewer's first picture.
    private static let oldAge = Duration.milliseconds(100)

    /// Connects to a compositor, and waits for the first picture. Throws `captureFailed` if it can't be reached or its
    /// outputs are off, `unsupported` if it has no screencopy, `invalidArgument` if there is no such monitor.
    ///
    /// - Parameters:
    ///   - path: the compositor's socket.
    ///   - monitor: the name or number, as in `LinuxSource.monitors`; `nil` for the first.
    package convenience init(path: String, monitor: String? = nil) throws(HelioError) {
        try self.init(WaylandConnection(path: path), monitor: monitor)
    }

    init(_ connection: WaylandConnection, monitor: String?) throws(HelioError) {
        self.connection = connection
        outputs = try WaylandOutputs(connection)
        copies =
            SessionCopies.isOffered(connection) ? try SessionCopies(connection) : try ScreenCopies(connection)
        wakeup = try Wakeup()
        let monitors = outputs.monitors
        guard !monitors.isEmpty else { throw Self.allOff }
        let chosen = try X11Monitor.choose(monitor, of: monitors)
        wanted = monitor == nil ? nil : chosen.id
        output = outputs.output(chosen.id)
        _ = outputs.takeNews()
        layout = MonitorLayout(monitors, selected: chosen)
        shownSize = chosen.rect.size
        copiedAt = MonotonicClock.now
        pendingSince = copiedAt
        let until = copiedAt + WaylandConnection.patience
        while copies.newest == nil {
            if isOff || MonotonicClock.now >= until { throw Self.allOff }
            try askIfDue()
            connection.wait(until: min(until, nextTry ?? until))
            try readEvents()
        }
        isLayoutNews = false
    }

    private static var allOff: HelioError {
        HelioError(
            .captureFailed, "The Wayland compositor gives no picture: are all its outputs switched off?")
    }

    package func waitForChange(until: Instant?) throws(HelioError) -> CaptureEvent {
        while true {
            try readEvents()
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
            try askIfDue()
            connection.wait(alongside: wakeup, until: [until, nextTry].compactMap(\.self).min())
        }
    }

    package func capture(into picture: PlanarPicture, everything: Bool) throws(HelioError) -> Captured? {
        try readEvents()
        if everything { try renew() }
        if isOff || isLayoutNews || picture.sourceSize != size { return nil }
        let captured = isUnread ? copiedAt : MonotonicClock.now
        isUnread = false
        try askIfDue()
        if everything {
            pending.add(PixelRect(size))
            picture.markAllChanged()
        }
        let rects = picture.rects(dependingOn: pending)
        pending.removeAll()
        let changed = take(rects, into: picture)
        return changed.isEmpty
            ? nil : Captured(damage: changed, captured: captured, converted: MonotonicClock.now)
    }

    package var fillsFurtherPictures: Bool { true }

    package func capture(_ part: Region, into picture: PlanarPicture) throws(HelioError) -> Captured? {
        try readEvents()
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
        try followOutputs()
    }

    package var waker: @Sendable () -> Void {
        { [wakeup] in wakeup.signal() }
    }

    package func keepAwake(_ isWatched: Bool) {
        guard isWatched != isKeptAwake else { return }
        isKeptAwake = isWatched
        sessionAwake = isWatched ? SessionInhibitor() : nil
    }

    package func draw(_ pointer: DrawnPointer?) {
        if pointer == pixels.pointer { return }
        let before = pixels.pointer
        pixels.pointer = pointer
        for place in [before, pointer].compactMap({ $0?.rect.intersection(PixelRect(size)) }) where !place.isEmpty {
            if pending.isEmpty { pendingSince = MonotonicClock.now }
            pending.add(place)
            pendingIsNews = true
        }
    }

    /// The pointer, where the compositor tells it apart from the picture; `nil` if it is a part of it.
    var pointer: CopiedPointer? { copies.pointer }

    /// Converts parts of the newest copy into the picture; returns the region that has changed.
    private func take(_ rects: [PixelRect], into picture: PlanarPicture) -> Region {
        var changed = Region()
        guard let copy = copies.newest else { return changed }
        for rect in rects {
            // In bands, so that what is turned or of another format is still in the cache when it is converted.
            for band in X11Pixels.bands(rect, area: (picture.scaler?.source(of: rect) ?? rect).area) {
                pixels.take(picture.scaler?.source(of: band) ?? band, of: copy, transform) { bytes, stride in
                    picture.take(bytes, stride: stride, to: band)
                }
            }
            changed.add(picture.blocks.changedBounds(in: rect))
        }
        return changed
    }

    // MARK: Copies

    /// Asks for the next copy if the newest is read and the output has not just failed.
    private func askIfDue() throws(HelioError) {
        if !copies.isCopying, !isUnread, let output {
            if let nextTry, nextTry > MonotonicClock.now { return try connection.flush() }
            nextTry = nil
            try copies.ask(of: output.object, isWhole: needsWhole)
        }
        try connection.flush()
    }

    /// Replaces the newest copy if it is old and nobody has read it: it shows what was on the screen when the last
    /// viewer left. Waits for a quarter of a second at most.
    private func renew() throws(HelioError) {
        let now = MonotonicClock.now
        guard isUnread, now - copiedAt > Self.oldAge, !isOff else { return }
        isUnread = false
        needsWhole = true
        let until = now + .milliseconds(250)
        while !isUnread, !isLayoutNews, MonotonicClock.now < until {
            try askIfDue()
            // A wake-up that comes meanwhile is for `waitForChange` to take.
            connection.wait(until: min(until, nextTry ?? until))
            try readEvents()
        }
    }

    private func readEvents() throws(HelioError) {
        while let notice = try connection.next() {
            try outputs.take(notice, connection)
            switch try copies.take(notice) {
            case .copied(let changed): came(changed)
            case .failed: try failed()
            case nil: break
            }
        }
        if outputs.takeNews() { try followOutputs() }
        try connection.flush()
    }

    /// Handles a new picture.
    ///
    /// - Parameter changed: its changed parts, in memory; `nil` for all.
    private func came(_ changed: Region?) {
        guard let picture = copies.newest, let output else { return }
        let now = MonotonicClock.now
        let turn = copies.transform ?? output.transform
        let isOther = isOff || transform != turn || layout.selected.id != output.id
        (failures, nextTry, isOff, isUnread, copiedAt) = (0, nil, false, true, now)
        if changed == nil { needsWhole = false }
        transform = turn
        let whole = transform.seen(PixelRect(picture.size), of: picture.size)
        let before = shownSize
        shownSize = whole.size
        renewLayout(output)
        if isOther || before != shownSize {
            isLayoutNews = true
            pending.removeAll()
        }
        if pending.isEmpty { pendingSince = now }
        if let changed, !isOther, before == shownSize {
            for rect in changed.rects { pending.add(transform.seen(rect, of: picture.size)) }
        } else {
            pending.add(PixelRect(size))
        }
        pendingIsNews = !pending.isEmpty
        // A copy without a change, after a retry for example, is nothing to read.
        if pending.isEmpty { isUnread = false }
    }

    private func failed() throws(HelioError) {
        failures += 1
        needsWhole = true
        if copies.newest == nil, copies is SessionCopies, failures >= Self.mostFailures || copies.refusal != nil,
            let other = try? ScreenCopies(connection)
        {
            (copies, failures, nextTry) = (other, 0, nil)
            return try askIfDue()
        }
        nextTry = MonotonicClock.now + .milliseconds(min(500, 10 << min(failures, 6)))
        if failures >= Self.mostFailures, !isOff {
            isOff = true
            isLayoutNews = true
        }
    }

    // MARK: Outputs

    /// Follows the requested monitor, or the first if it is missing. The layout changes with the first picture of
    /// another monitor or size, so that `size` is always that of the newest picture.
    private func followOutputs() throws(HelioError) {
        let chosen = wanted.flatMap { outputs.output($0) } ?? outputs.usable.first
        guard let chosen else {
            copies.cancel()
            output = nil
            // Nothing is tried again until an output comes.
            (needsWhole, failures, nextTry) = (true, 0, nil)
            if !isOff { isLayoutNews = true }
            isOff = true
            return
        }
        let isSame = chosen.object == output?.object
        if !isSame || chosen.mode != output?.mode || chosen.transform != output?.transform {
            copies.cancel()
            // What is unread is of the other output, or has another size.
            (needsWhole, isUnread, failures, nextTry) = (true, false, 0, nil)
            if !isSame { pending.removeAll() }
        }
        output = chosen
        if chosen.id == layout.selected.id, !isOff { renewLayout(chosen) }
        try askIfDue()
    }

    /// Updates the layout; the captured monitor has the size of the newest picture.
    private func renewLayout(_ output: WaylandOutput) {
        var selected = output.monitor(isPrimary: outputs.usable.first?.object == output.object)
        selected.rect = PixelRect(
            x: selected.rect.x, y: selected.rect.y, width: shownSize.width, height: shownSize.height)
        var monitors = outputs.monitors
        if let index = monitors.firstIndex(where: { $0.id == selected.id }) { monitors[index] = selected }
        let now = MonitorLayout(monitors.isEmpty ? [selected] : monitors, selected: selected)
        if now != layout { isLayoutNews = true }
        layout = now
    }
}
