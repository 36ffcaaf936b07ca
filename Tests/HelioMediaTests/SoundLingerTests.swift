import HelioCore
import HelioMedia
import Testing

@Suite("Sound that was turned off")
struct SoundLingerTests {
    private let start = Instant.zero + .seconds(9)

    @Test("is sent no more, and made for a second more")
    func off() {
        var linger = SoundLinger()
        #expect(linger.isOn && linger.isWanted && linger.deadline == nil)
        let changed = linger.turn(on: false, now: start)
        #expect(changed)
        #expect(!linger.isOn && linger.isWanted && linger.deadline?.at == start + SoundLinger.length)
        linger.tick(now: start + SoundLinger.length - .nanoseconds(1))
        #expect(linger.isWanted)
        linger.tick(now: start + SoundLinger.length)
        #expect(!linger.isWanted && linger.deadline == nil)
    }

    @Test("and is turned on again meanwhile, goes on as if nothing had been")
    func onAgain() {
        var linger = SoundLinger()
        linger.turn(on: false, now: start)
        let changed = linger.turn(on: true, now: start + .milliseconds(500))
        #expect(changed)
        #expect(linger.isOn && linger.isWanted && linger.deadline == nil)
        linger.tick(now: start + .seconds(5))
        #expect(linger.isOn && linger.isWanted)
    }

    @Test("once more, is given no more time for that")
    func offTwice() {
        var linger = SoundLinger()
        linger.turn(on: false, now: start)
        let changed = linger.turn(on: false, now: start + .milliseconds(900))
        #expect(!changed)
        #expect(linger.deadline?.at == start + SoundLinger.length)
        linger.tick(now: start + SoundLinger.length)
        let again = linger.turn(on: false, now: start + .seconds(2))
        #expect(!again)
        #expect(!linger.isWanted)
    }

    @Test("before any was sent, is not wanted for a moment")
    func neverSent() {
        var linger = SoundLinger()
        let changed = linger.turn(on: false, lingers: false, now: start)
        #expect(changed)
        #expect(!linger.isOn && !linger.isWanted && linger.deadline == nil)
    }

    @Test("and on by a flood of messages, is wanted all along and for one second after the last")
    func flood() {
        var linger = SoundLinger()
        var now = start
        for index in 0..<1000 {
            linger.turn(on: index.isMultiple(of: 2), now: now)
            linger.tick(now: now)
            #expect(linger.isWanted)
            now = now + .milliseconds(3)
        }
        linger.tick(now: now + SoundLinger.length)
        #expect(!linger.isWanted)
    }
}
