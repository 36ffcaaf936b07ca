internal import CSDL2
package import HelioCore
internal import HelioGround

extension ViewerWindow {
    /// The longest sleep: SDL inhibits the screen saver only if it is called regularly.
    private static let longestSleep = Duration.seconds(25)

    /// Waits for input, a call of `waker` or the time `until`, and returns all events since the last call.
    ///
    /// Returns no events at the time `until`. Draws outdated pixels first, so setters need not be followed by `flush`.
    package func wait(until: Instant?) throws(HelioError) -> [WindowEvent] {
        var events: [WindowEvent] = []
        while true {
            try flush()
            pump(into: &events)
            if wakeup.take() { events.append(.woken) }
            if !events.isEmpty { return events }
            if needsDrawing { continue }
            let now = MonotonicClock.now
            if let until, until <= now { return [] }
            let latest = now + Self.longestSleep
            doze(until: until.map { min($0, latest) } ?? latest)
        }
    }

    /// Handles SDL's queued events, including those that Xlib has read but SDL has not.
    private func pump(into events: inout [WindowEvent]) {
        repeat {
            SDL_PumpEvents()
        } while display.map { helio_x11_has_events($0) != 0 } ?? false
        withUnsafeTemporaryAllocation(of: SDL_Event.self, capacity: 32) { buffer in
            while true {
                let count = SDL_PeepEvents(
                    buffer.baseAddress, Int32(buffer.count), SDL_GETEVENT, SDL_FIRSTEVENT.rawValue,
                    SDL_LASTEVENT.rawValue)
                if count <= 0 { break }
                for index in 0..<Int(count) { handle(&buffer[index], into: &events) }
            }
        }
        finishStrike(into: &events)
        // The locks are not reported yet if control was granted while the window had the focus.
        if toldLocks == nil { tellLocks(into: &events) }
    }

    /// Sleeps until an event of X, of the Wayland compositor or of `wakeup`, or the time `until`.
    private func doze(until: Instant) {
        if let display {
            wakeup.wait(alongside: helio_x11_descriptor(display), until: until)
        } else if let wayland {
            wakeup.wait(alongside: wayland.descriptor, until: until)
        } else {
            // Under another window system, SDL's wait can't watch the descriptor of `wakeup`, so poll it every 8 ms.
            let left = until - MonotonicClock.now
            SDL_WaitEventTimeout(nil, Int32(min(8, max(1, left.milliseconds))))
        }
    }
}
