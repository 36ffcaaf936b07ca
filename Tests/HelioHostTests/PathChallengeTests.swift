import HelioCore
import HelioRemote
import HelioSession
import HelioSimulation
import Testing

@Suite("Where a viewer's media go")
struct PathChallengeTests {
    private let elsewhere = IPAddress.v4(0xC000_0201)

    @Test("datagrams that were held back and sent on from elsewhere turn no more than a trickle against a third party")
    func sentOnFromElsewhere() throws {
        var world = SessionWorld()
        try world.run(.seconds(1))
        let victim = PathID(elsewhere, port: 9)
        let before = world.viewer.frames
        var sentOn = 0
        for _ in 0..<40 {
            // The viewer's next datagrams reach the host with the victim's address as their source.
            try world.run(.milliseconds(50))
            world.host.readdress = { [home = world.host.mediaPath] in
                sentOn += $0.count
                return sentOn.isMultiple(of: 2) ? victim : home
            }
        }
        #expect(sentOn > 0)
        #expect(world.viewer.frames >= before + 110, "and the picture goes on where the viewer is")
        let heard = world.host.elsewhere[victim, default: 0]
        #expect(heard > 0 && heard <= 21 * 100, "\(heard) bytes in 2 s")
    }

    @Test("a viewer that really is elsewhere answers, and gets its picture there within a second")
    func moves() throws {
        var world = SessionWorld()
        try world.run(.seconds(1))
        let before = world.viewer.frames
        world.host.mediaPath = PathID(elsewhere, port: 9)
        world.host.controlPath = PathID(elsewhere, port: 10)
        try world.run(.seconds(2))
        #expect(world.viewer.frames >= before + 60)
        #expect(world.host.elsewhere.values.allSatisfy { $0 < 100_000 })
        // The host still answers control messages there.
        world.viewer.send(.key(usage: 9, modifiers: [], isDown: true), now: world.now)
        try world.run(.milliseconds(100))
        #expect(world.host.injected == [.key(usage: 9, isDown: true)])
    }

    @Test("another port of the machine that signalling comes from is followed at once")
    func anotherPort() throws {
        var world = SessionWorld()
        try world.run(.seconds(1))
        let before = world.viewer.frames
        world.host.mediaPath = PathID(500)
        try world.run(.seconds(1))
        #expect(world.viewer.frames >= before + 28)
    }
}
