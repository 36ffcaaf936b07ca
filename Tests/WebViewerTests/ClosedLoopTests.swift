import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// The counterpart of `HeliographTests.ClosedLoopTests` with a browser: the congestion control is the host's, fed by a
/// third party's reports.
@Suite("In a browser: closed loops", .serialized, .timeLimit(.minutes(3)), .tags(.timed))
struct ClosedLoopTests {
    /// The longest allowed gap between pictures in milliseconds. The browser decodes, scales and draws in software
    /// here, beside the host: twice the native viewer's limit, or twice the gap measured on this machine without limits
    /// or loss.
    private static func longestGap(_ control: NarrowBrowser.Shown) -> Double { max(1000, 2 * control.gap) }
    /// The longest allowed gap with loss: after losing a picture for good, libwebrtc waits three seconds before it
    /// requests another.
    private static func longestLossGap(_ control: NarrowBrowser.Shown) -> Double { 3000 + longestGap(control) }

    @Test("3 Mbit/s: less is sent from the first second on, the queue stays short, and the picture never freezes")
    func narrow() throws {
        let rate = Bitrate.megabits(3)
        let browser = try NarrowBrowser(NarrowPath.link(rate))
        try browser.pass(.seconds(15), "3 Mbit/s")
        let shown = try browser.takeShown()
        // The control measurement: the same without a bottleneck.
        let end = browser.route.path.change(to: NarrowPath.link(.megabits(20)))
        try browser.pass(.seconds(1), "20 Mbit/s, to find out")
        _ = try browser.takeShown()
        try browser.pass(.seconds(4), "20 Mbit/s")
        let control = try browser.takeShown()
        browser.stop()
        let ledger = browser.ledger
        let began = try #require(ledger.mediaBegan, "no media by the path: it went past it")

        // In the first second the rate is still being found; a probe or a single picture may exceed it by a tenth
        // within a second.
        let peak = ledger.peak(from: began + .seconds(1), to: end)
        #expect(peak < Double(rate.bitsPerSecond) * 1.1, "\(peak) bits within a second\n\(ledger.trace)")
        // 300 ms would be a queue that is always full.
        let wait = ledger.longWait(from: began + .seconds(3), to: end)
        #expect(wait < 100, "a queue of \(wait) ms\n\(ledger.trace)")
        #expect(shown.gap <= Self.longestGap(control), "\(shown), and \(control)\n\(ledger.trace)")
        // 50 in 15 s, or half as many as without a bottleneck.
        #expect(shown.rate > min(50 / 15, control.rate / 2), "\(shown), and \(control)")
        // Proof that the path was narrow: a saturating sender uses at least half of it.
        let carried = ledger.carriedRate(from: began + .seconds(5), to: end)
        #expect(carried >= Double(rate.bitsPerSecond) / 2, "\(carried) bits a second\n\(ledger.trace)")
        print("3 Mbit/s: at most \(peak), carried \(carried) bits a second, queue \(wait) ms")
        print("3 Mbit/s: \(shown), and \(control) where it is wide")
    }

    @Test("5 % of all datagrams are lost for a while: pictures go on, and at the rate from before")
    func loss() throws {
        let rate = Bitrate.megabits(8)
        let browser = try NarrowBrowser(NarrowPath.link(rate))
        try browser.pass(.seconds(4), "8 Mbit/s, to find out what that carries")
        let from = Instant.now
        _ = try browser.takeShown()
        try browser.pass(.seconds(5), "8 Mbit/s without loss")
        let control = try browser.takeShown()
        let turn = browser.route.path.change(to: NarrowPath.link(rate, loss: 0.05))
        try browser.pass(.seconds(12), "8 Mbit/s that lose 5 %")
        let shown = try browser.takeShown()
        browser.stop()
        let (ledger, end) = (browser.ledger, Instant.now)

        let before = ledger.carriedRate(from: from, to: turn)
        try #require(before > 2e6, "\(before) bits a second without loss\n\(ledger.trace)")
        let given = ledger.given.count(where: { $0.at >= turn })
        #expect(ledger.lost * 100 >= given * 3, "\(ledger.lost) of \(given) were lost")
        // A loop that takes loss for congestion would be at a fraction of this; 5 % are lost in any case.
        let after = ledger.carriedRate(from: turn + .seconds(1), to: end)
        #expect(after >= before * 0.6, "\(after) after \(before) bits a second\n\(ledger.trace)")
        #expect(shown.gap <= Self.longestLossGap(control), "\(shown), and \(control)\n\(ledger.trace)")
        // 100 in 12 s, or half as many as without loss.
        #expect(shown.rate >= min(100 / 12, control.rate / 2), "\(shown), and \(control)\n\(ledger.trace)")
        print("loss: \(before), then \(after) bits a second; \(shown), and \(control) without")
    }

    @Test("20, 2 and again 20 Mbit/s: the rate follows down within a second, the queue drains, and the rate comes back")
    func step() throws {
        let (wide, narrow) = (NarrowPath.link(.megabits(20)), NarrowPath.link(.megabits(2)))
        let browser = try NarrowBrowser(wide)
        try browser.pass(.seconds(8), "20 Mbit/s")
        let fall = browser.route.path.change(to: narrow)
        try browser.pass(.seconds(6), "2 Mbit/s")
        let rise = browser.route.path.change(to: wide)
        // Size and frame rate return once the rate was available for five seconds.
        try browser.pass(.seconds(9), "20 Mbit/s again")
        browser.stop()
        let ledger = browser.ledger

        // Otherwise there was no fall.
        let before = ledger.givenRate(from: fall - .seconds(3), to: fall)
        try #require(before > 3e6, "\(before) bits a second over 20 Mbit/s\n\(ledger.trace)")
        let fallen = ledger.givenRate(from: fall + .seconds(1), to: fall + .seconds(2))
        #expect(fallen <= 2.2e6, "\(fallen) bits a second over 2 Mbit/s\n\(ledger.trace)")
        let wait = ledger.longWait(from: fall + .seconds(2), to: rise)
        #expect(wait < 100, "a queue of \(wait) ms\n\(ledger.trace)")
        let risen = ledger.givenRate(from: rise + .seconds(7), to: rise + .seconds(9))
        // Motion needs more bits at one time than at another: no more than half of the path's rate is expected to
        // return.
        #expect(risen >= min(before, 1e7) * 0.5, "\(risen) after \(before) bits a second\n\(ledger.trace)")
        print("step: \(before), \(fallen), \(risen) bits a second; queue \(wait) ms")
    }
}
