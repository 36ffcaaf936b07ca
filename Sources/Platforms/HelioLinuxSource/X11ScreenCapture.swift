import CXCB
import Glibc
package import HelioCore
import HelioGround
import HelioPatch

/// Captures a monitor of an X server: only the changed parts, and only after a change.
///
/// No change is lost between its report and the capture: `DamageSubtract` is sent right before the requests for the
/// pixels, and the server handles a client's requests in order. Changes drawn after the subtraction are reported again,
/// even if the captured pixels already show them. Reports of earlier changes that were not read yet arrive before the
/// replies, and stay pending for the next capture. At worst a rectangle is captured twice, and the second time none of
/// its macroblocks counts as changed.
package final class X11ScreenCapture: ScreenCapturing {
    package typealias Picture = PlanarPicture

    /// Notes for the user, about features that the server lacks and their effect; empty on an ordinary server.
    package private(set) var notes: [String] = []
    package private(set) var layout: MonitorLayout
    /// The captured part of the root window.
    package private(set) var area: PixelRect
    /// The area's size, rounded up to even sides: the last column or row of an odd side is repeated.
    package var size: PixelSize { area.size.even }
    package var shownSize: PixelSize { area.size }
    /// True while every output is switched off: the root window has no pixels to share.
    package private(set) var isOff = false
    /// True if changes were reported but not yet captured.
    package var hasPendingChanges: Bool { !pending.isEmpty }

    let x: X11Connection
    private let format: X11PixelFormat
    /// The requested monitor; `nil` for the primary monitor.
    private var wanted: ScreenMonitor.ID?
    private let damage: xcb_damage_damage_t?
    private let damageEvent: UInt8?
    private let randrEvent: UInt8?
    /// The polling interval if the server lacks DAMAGE.
    private let pollInterval: Duration
    private var nextPoll: Instant
    private var pixels: X11Pixels

    private var pending = Region()
    private var pendingSince: Instant
    private var pendingIsNews = true
    /// True if the monitors may differ from `layout`, or another monitor was selected.
    private var isLayoutStale = false
    /// True if `layout` has changed since it was last reported.
    private var isLayoutNews = false
    private let wakeup: Wakeup
    /// The pointer to draw into captured pixels; `nil` for none.
    private var pointer: DrawnPointer?
    private var isKeptAwake = false
    /// Inhibits the desktop's screen blanking while a viewer watches.
    private var sessionAwake: SessionInhibitor?

    /// Opens a display. Throws if it can't be reached, has no such monitor, or can't be captured.
    ///
    /// - Parameters:
    ///   - display: the display's name, in the form of `$DISPLAY`; `nil` for the value of `$DISPLAY`, which is refused
    ///     if it is Xwayland's, as most of its screen is black.
    ///   - monitor: the name or number, as in `X11Monitor.list`; `nil` for the primary monitor.
    ///   - pollRate: the polls per second if the server lacks DAMAGE.
    ///   - useSharedMemory, useDamage: false to test the fallbacks.
    package init(
        display: String? = nil, monitor: String? = nil, pollRate: Int = 60, useSharedMemory: Bool = true,
        useDamage: Bool = true
    ) throws(HelioError) {
        let x = try X11Connection(display: display)
        let evidence = try SessionProbe.look(at: x, isNamed: display != nil)
        if let refusal = CaptureWay.refusal(evidence) { throw refusal }
        let format = try X11PixelFormat(x)
        let wakeup = try Wakeup()
        var notes: [String] = []

        let randrEvent = x.firstEvent(of: HELIO_RANDR)
        if randrEvent != nil {
            let mask =
                XCB_RANDR_NOTIFY_MASK_SCREEN_CHANGE.rawValue | XCB_RANDR_NOTIFY_MASK_CRTC_CHANGE.rawValue
                | XCB_RANDR_NOTIFY_MASK_OUTPUT_CHANGE.rawValue
            xcb_randr_select_input(x.raw, x.root, UInt16(mask))
        } else {
            notes.append("no RandR: the display's size is taken as fixed")
        }
        // RandR's events don't cover monitors that a program defines, nor changes of the desktop's scale: the root
        // window's own events do.
        let rootEvents = XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue
        xcb_change_window_attributes(x.raw, x.root, XCB_CW_EVENT_MASK.rawValue, [rootEvents])
        let monitors = try X11Monitor.list(x)
        let chosen = try X11Monitor.choose(monitor, of: monitors)
        guard X11Monitor.isLargeEnough(chosen) else {
            throw HelioError(
                .captureFailed,
                "The X display \(x.displayName) has a screen of \(chosen.rect.size), which is too small to share: are all "
                    + "its outputs switched off?", remedy: .switchOnOutputs)
        }
        let area = chosen.rect
        if let note = CaptureWay.note(evidence) { notes.append(note) }

        var damage: xcb_damage_damage_t?
        var damageEvent: UInt8?
        if useDamage, let first = x.firstEvent(of: HELIO_DAMAGE) {
            free(try x.reply { xcb_damage_query_version_reply(x.raw, xcb_damage_query_version(x.raw, 1, 1), $0) })
            let id = xcb_generate_id(x.raw)
            // An event with delta rectangles reports only newly damaged parts, and exactly those.
            let made = xcb_damage_create_checked(
                x.raw, id, x.root, UInt8(XCB_DAMAGE_REPORT_LEVEL_DELTA_RECTANGLES.rawValue))
            if try x.succeeded(made) { (damage, damageEvent) = (id, first) }
        }
        if damage == nil { notes.append("no DAMAGE: the whole display is compared \(pollRate) times a second") }

        pixels = try X11Pixels(x, format: format, area: area, shared: useSharedMemory)
        if pixels.isForeign {
            notes.append(
                "the X server is in another container (IPC namespace): pixels go through the socket, which is slower")
        } else if !pixels.isShared {
            notes.append("no MIT-SHM: pixels go through the socket")
        }

        self.x = x
        self.format = format
        self.area = area
        layout = MonitorLayout(monitors, selected: chosen)
        self.wakeup = wakeup
        self.randrEvent = randrEvent
        self.damage = damage
        self.damageEvent = damageEvent
        self.notes = notes
        // Store the name, as the numbers change when monitors are connected.
        wanted = monitor == nil ? nil : chosen.id
        pollInterval = .nanoseconds(1_000_000_000 / Int64(max(1, pollRate)))
        pendingSince = MonotonicClock.now
        nextPoll = pendingSince
        pending.add(PixelRect(size))
    }

    /// Waits for a change; see `ScreenCapturing`. A change is reported once: if the caller has not captured it by the
    /// next call, that call waits for further changes, so that a caller with a limited frame rate does not spin.
    package func waitForChange(until: Instant?) throws(HelioError) -> CaptureEvent {
        xcb_flush(x.raw)
        while true {
            try readEvents()
            while isLayoutStale {
                try followLayout()
                // Events that arrived with the replies are queued in libxcb, so the socket would not become readable
                // for them.
                try readEvents()
            }
            if isLayoutNews {
                isLayoutNews = false
                return .layoutChanged
            }
            if !pending.isEmpty, pendingIsNews {
                pendingIsNews = false
                return .changed(at: pendingSince)
            }
            if wakeup.take() { return .woken }
            let now = MonotonicClock.now
            if let until, until <= now { return .timeout }
            if damage == nil, nextPoll <= now {
                nextPoll = now + pollInterval
                note(PixelRect(size), at: now)
                continue
            }
            var wait = until
            if damage == nil { wait = min(nextPoll, until ?? nextPoll) }
            wakeup.wait(alongside: x.fileDescriptor, until: wait)
        }
    }

    package func capture(into picture: PlanarPicture, everything: Bool) throws(HelioError) -> Captured? {
        try readEvents()
        // The pixels may be those of another monitor than the caller expects until it has got the new layout.
        if isOff || isLayoutStale || isLayoutNews || picture.sourceSize != size { return nil }
        if everything {
            pending.add(PixelRect(size))
            picture.markAllChanged()
        }
        let captured = MonotonicClock.now
        var changed = Region()
        var takenArea = 0
        for _ in 0..<Self.mostTakes {
            let rects = takePending(picture)
            guard try take(rects, into: picture, answersDamage: true) else { return nil }
            for rect in rects {
                changed.add(picture.blocks.changedBounds(in: rect))
                takenArea += rect.area
            }
            // Programs often draw one change in several steps. Add the steps that were reported meanwhile, if they are
            // quick to fetch: a viewer that draws once per display refresh would show a separate picture one refresh
            // later.
            try readEvents()
            let more = pending.area
            if more == 0 || takenArea + more > Self.quickArea || isLayoutStale { break }
        }
        if changed.isEmpty { return nil }
        return Captured(damage: changed, captured: captured, converted: MonotonicClock.now)
    }

    package var fillsFurtherPictures: Bool { true }

    package func capture(_ part: Region, into picture: PlanarPicture) throws(HelioError) -> Captured? {
        try readEvents()
        if isOff || isLayoutStale || isLayoutNews || picture.sourceSize != size { return nil }
        let captured = MonotonicClock.now
        let parts = picture.rects(dependingOn: part)
        // The damage is not subtracted, so it stays reported for the picture that tracks the changes.
        guard try take(parts, into: picture, answersDamage: false) else { return nil }
        var changed = Region()
        for rect in parts { changed.add(picture.blocks.changedBounds(in: rect)) }
        return Captured(damage: changed, captured: captured, converted: MonotonicClock.now)
    }

    /// The largest area, in pixels, that is quick to fetch: a few lines of text, which take 0.1 ms.
    private static let quickArea = 64 * 1024
    private static let mostTakes = 3

    /// - Parameter answersDamage: true to subtract the damage, so that the server no longer reports earlier changes.
    /// - Returns: false if the screen's size has changed.
    private func take(
        _ rects: [PixelRect], into picture: PlanarPicture, answersDamage: Bool
    ) throws(HelioError) -> Bool {
        if rects.isEmpty { return true }
        // The bands are in the picture's pixels; `source` gives the captured pixels that each needs.
        func source(of rect: PixelRect) -> PixelRect { picture.scaler?.source(of: rect) ?? rect }
        let bands = rects.flatMap { X11Pixels.bands($0, area: source(of: $0).area) }

        if answersDamage, let damage { xcb_damage_subtract(x.raw, damage, 0, 0) }
        let taken = try pixels.take(bands.map(source)) { number, bytes, stride in
            if let pointer { pointer.blend(into: bytes, stride: stride, of: source(of: bands[number])) }
            picture.take(bytes, stride: stride, to: bands[number])
        }
        if taken { return true }
        // A part of the area may now be outside the root window, if the display has shrunk and RandR's event has not
        // arrived yet.
        let before = x.rootSize
        try x.updateRootSize()
        if x.rootSize == before {
            throw HelioError(.captureFailed, "The X server refused to give the display's pixels.")
        }
        isLayoutStale = true
        pending.add(PixelRect(size))
        return false
    }

    /// Removes all pending changes, and returns the rectangles of the picture that depend on them, aligned to
    /// macroblocks.
    private func takePending(_ picture: PlanarPicture) -> [PixelRect] {
        defer { pending.removeAll() }
        return picture.rects(dependingOn: pending)
    }

    package func makePicture(
        size: PixelSize, chroma: ChromaSampling, color: ColorDescription
    ) throws(HelioError) -> PlanarPicture {
        try PlanarPicture(size: size, of: self.size, chroma: chroma, color: color)
    }

    package func draw(_ pointer: DrawnPointer?) {
        if pointer == self.pointer { return }
        let now = MonotonicClock.now
        for place in [self.pointer, pointer].compactMap({ $0?.rect.intersection(PixelRect(size)) }) where !place.isEmpty
        {
            note(place, at: now)
        }
        self.pointer = pointer
    }

    package func select(_ id: ScreenMonitor.ID) throws(HelioError) {
        wanted = try layout.monitor(id).id
        isLayoutStale = true
    }

    package var waker: @Sendable () -> Void {
        { [wakeup] in wakeup.signal() }
    }

    private func readEvents() throws(HelioError) {
        while let event = try x.nextEvent() {
            defer { free(event) }
            let type = event.pointee.response_type & 0x7F
            if type == damageEvent {
                event.withMemoryRebound(to: xcb_damage_notify_event_t.self, capacity: 1) {
                    let a = $0.pointee.area
                    let inRoot = PixelRect(x: Int(a.x), y: Int(a.y), width: Int(a.width), height: Int(a.height))
                    let rect = inRoot.intersection(area)
                    if rect.isEmpty { return }
                    note(rect.moved(x: -area.x, y: -area.y), at: MonotonicClock.now)
                }
            } else if changesLayout(type, event) {
                isLayoutStale = true
            }
        }
    }

    private func changesLayout(_ type: UInt8, _ event: UnsafeMutablePointer<xcb_generic_event_t>) -> Bool {
        if let randrEvent, type == randrEvent || type == randrEvent + 1 { return true }
        switch Int32(type) {
        case XCB_CONFIGURE_NOTIFY: return true
        case XCB_PROPERTY_NOTIFY:
            return event.withMemoryRebound(to: xcb_property_notify_event_t.self, capacity: 1) {
                $0.pointee.atom == XCB_ATOM_RESOURCE_MANAGER.rawValue
            }
        default: return false
        }
    }

    private func note(_ rect: PixelRect, at now: Instant) {
        if pending.isEmpty { pendingSince = now }
        pendingIsNews = true
        pending.add(rect)
    }

    /// Queries the present layout of monitors. If the requested monitor is missing, the primary one replaces it.
    ///
    /// If all outputs are off (a closed laptop lid, a KVM switch), the root window may shrink to a few pixels. Then the
    /// layout is kept until there is a screen to capture again.
    private func followLayout() throws(HelioError) {
        isLayoutStale = false
        try x.updateRootSize()
        let monitors = try X11Monitor.list(x)
        let chosen = monitors.first { $0.id == wanted } ?? X11Monitor.primary(of: monitors)
        guard X11Monitor.isLargeEnough(chosen) else {
            if !isOff { isLayoutNews = true }
            isOff = true
            return
        }
        let wasOff = isOff
        isOff = false
        let now = MonitorLayout(monitors, selected: chosen)
        if now == layout, !wasOff { return }
        layout = now
        isLayoutNews = true
        let place = chosen.rect
        if place == area, !wasOff { return }
        let isOtherSize = place.size != area.size
        area = place
        pending.removeAll()
        note(PixelRect(size), at: MonotonicClock.now)
        if isOtherSize {
            pixels = try X11Pixels(x, format: format, area: area, shared: pixels.isShared)
        } else {
            pixels.area = area
        }
    }

    package func keepAwake(_ isWatched: Bool) {
        guard isWatched != isKeptAwake else { return }
        isKeptAwake = isWatched
        // The D-Bus session belongs to the display of this process.
        let isOwnDisplay = ProcessVariable.value("DISPLAY") == x.displayName
        sessionAwake = isWatched && isOwnDisplay ? SessionInhibitor() : nil
        // The server ends the suspension when the connection closes, even if this process crashes.
        helio_screen_saver_suspend(x.raw, isWatched ? 1 : 0)
        // A screen that is blank already has to be woken.
        if isWatched { xcb_force_screen_saver(x.raw, UInt8(XCB_SCREEN_SAVER_RESET.rawValue)) }
        xcb_flush(x.raw)
    }
}
