package import HelioCore
internal import HelioMedia

/// Input from the screen and the viewers.
extension PictureEngine {
    /// Records a change of the screen's content at this instant, so that a capture becomes due.
    package mutating func changed(at instant: Instant) { main.changed(at: instant) }

    /// Adopts a change of the screen's monitors, size or power. The change is reported before the next capture, so that
    /// input positions are mapped to the new size before viewers see a picture in that size.
    package mutating func follow(_ new: ScreenState, now: Instant) {
        main.unblank()
        if new.isOff != screen.isOff {
            screen.isOff = new.isOff
            note(
                new.isOff
                    ? "The display is switched off: viewers keep its last picture until it is on again."
                    : "The display is on again.")
        }
        if new.isOff { return }
        let before = screen
        screen = new
        tell(.screen(screen.shown, screen.layout.selected))
        tell(.layout(screen.layout))
        let isOther = screen.layout.selected.id != before.layout.selected.id
        if isOther {
            main.wishes.ask(KeyframeWish("another monitor"))
            main.becomeWhole(screen.size)
            noteOther(than: before.layout.selected)
        }
        if screen.size == before.size { return }
        tell(.wantedSize(wantedSize))
        main.lose(picture: agreedSize)
        main.becomeWhole(screen.size)
        renewSecond(now: now)
        if !isOther { note("The display is \(screen.shown) now.") }
        if let sentence = wantedSize.note(scaledFrom: screen.size) { note("\(sentence).") }
        mayHaveShortage = true
    }

    mutating func noteOther(than before: ScreenMonitor) {
        let isGone = !screen.layout.monitors.contains { $0.id == before.id }
        note(
            (isGone ? "The monitor \(before.name) is gone. " : "")
                + "The monitor \(screen.layout.selected.name) is shared from now on, \(screen.shown).")
    }

    /// Executes orders. Call this only while `takesOrders` is true.
    package mutating func obey(_ orders: PictureOrders, now: Instant) {
        if let watched = orders.isWatched, watched != isWatched {
            isWatched = watched
            main.becomeWhole(screen.size)
            if keepsAwake { agenda.append(.keepAwake(watched)) }
            if watched {
                main.ladder.begin()
                main.watch = ContentWatch()
            }
        }
        if let wishes = orders.wishes[.main] { main.wishes.merge(wishes) }
        if let agreement = orders.agreement { adopt(agreement, now: now) }
        if let monitor = orders.monitor { agenda.append(.select(monitor)) }
        if orders.repeatsPicture { main.repeats = true }
        if let bitrate = orders.second { setSecond(bitrate, now: now) }
        if let wishes = orders.wishes[.second] { second?.want(wishes, now: now) }
        if let preference = orders.preferences[.main] { main.ladder.preferred = preference }
        if let preference = orders.preferences[.second] {
            secondPreference = preference
            second?.ladder.preferred = preference
        }
        if orders.isWatched != nil || orders.agreement != nil || orders.bitrate != nil {
            main.setRate(orders.bitrate ?? main.rate, now: now)
            if isWatched { main.adapt(now: now) }
            mayHaveShortage = true
        }
    }

    /// Adopts the viewers' agreement on codec, size, rate or chroma.
    mutating func adopt(_ agreement: PictureOrders.Agreement, now: Instant) {
        agreedLargest = agreement.largest
        var agreed = agreement.format
        // The screen's size may have changed since the viewers agreed.
        agreed.size = agreedSize
        if agreed == main.agreed { return }
        main.agreed = agreed
        main.ladder.agree(size: agreed.size, framesPerSecond: agreed.framesPerSecond)
        renewSecond(now: now)
    }
}
