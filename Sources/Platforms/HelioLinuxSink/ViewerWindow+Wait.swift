internal import CSDL2
package import HelioCore
internal import HelioGround

extension ViewerWindow {
    /// The longest sleep: SDL keeps the screen saver off only if it is called now and then.
    private static let longestSleep = Duration.seconds(25)

    /// Waits for the user, for `waker` or for `until`, whichever comes first, and returns all events.
    ///
    /// Returns no events when the time is up. Draws outdated pixels first, so setters need no call of `flush`.
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

    /// Handles all queued events.
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
        // Input may have been allowed while the window had the keyboard already.
        if toldLocks == nil { tellLocks(into: &events) }
    }

    /// Sleeps until there may be something to do.
    private func doze(until: Instant) {
        if let display {
            wakeup.wait(alongside: helio_x11_descriptor(display), until: until)
        } else {
            // Under another window system SDL's wait can't watch our descriptor, so it is polled.
            let left = until - MonotonicClock.now
            SDL_WaitEventTimeout(nil, Int32(min(8, max(1, left.milliseconds))))
        }
    }
}
