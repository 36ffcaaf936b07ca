import HelioAdmission
import HelioCore
import HelioHost
import HelioProtection
import HelioRemote
import HelioSession
import HelioSimulation
import Testing

@Suite("Paired devices come back, and are put out")
struct PairedDeviceTests {
    private static func joined(_ world: borrowing SessionWorld) -> [String?] {
        world.host.events.compactMap { if case .joined(_, _, let device) = $0 { device } else { nil } }
    }

    @Test("a paired device is let in by its secret, again and again, under its name and with its permission")
    func comesBack() throws {
        for allowsControl in [true, false] {
            var world = SessionWorld(device: .test(allowsControl: allowsControl))
            try world.run(.seconds(1))
            #expect(world.viewer.isPlaying && world.viewer.broken == 0)
            #expect(Self.joined(world) == ["laptop"])
            // A paired device gets no ticket, which could outlive the pairing.
            #expect(world.viewer.ticket == nil)
            world.viewer.send(.key(usage: 9, modifiers: [], isDown: true), now: world.now)
            try world.run(.milliseconds(100))
            #expect(world.host.injected == (allowsControl ? [.key(usage: 9, isDown: true)] : []))
            // The host's link is not used up by a paired device.
            #expect(!world.host.events.contains { if case .linkReplaced = $0 { true } else { false } })
            world.viewer.leave(now: world.now)
            try world.run(.seconds(1))

            var again = SessionWorld(device: .test(allowsControl: allowsControl))
            try again.run(.seconds(1))
            #expect(again.viewer.isPlaying)
        }
    }

    @Test("a host's rendezvous server is told with a pairing, and to paired devices alone with each session")
    func rendezvous() throws {
        let place = try #require(HostRendezvous("0123456789abcdefghjkmnpqr0@https://rendezvous.example.org"))
        let pairing = PairingWorld(PairingWorld.makeHost(rendezvous: place))
        pairing.start()
        pairing.answer(.control)
        pairing.confirm()
        #expect(pairing.grant?.rendezvous == place)
        var paired = SessionWorld(device: .test(), rendezvous: place)
        try paired.run(.seconds(1))
        #expect(paired.viewer.isPlaying && paired.viewer.rendezvous == place)
        var guest = SessionWorld(rendezvous: place)
        try guest.run(.seconds(1))
        #expect(guest.viewer.isPlaying && guest.viewer.rendezvous == nil)
    }

    @Test("the addresses that wake a host are told with a pairing, and to paired devices alone with each session")
    func wake() throws {
        let addresses = try #require(WakeAddresses("02:00:00:00:00:01, 02:00:00:00:00:02"))
        let pairing = PairingWorld(PairingWorld.makeHost(wake: addresses))
        pairing.start()
        pairing.answer(.control)
        pairing.confirm()
        #expect(pairing.grant?.wake == addresses && pairing.grant?.rendezvous == nil)
        var paired = SessionWorld(device: .test(), wake: addresses)
        try paired.run(.seconds(1))
        #expect(paired.viewer.isPlaying && paired.viewer.wake == addresses)
        var guest = SessionWorld(wake: addresses)
        try guest.run(.seconds(1))
        #expect(guest.viewer.isPlaying && guest.viewer.wake == nil)
    }

    @Test("what a pairing gave lets the device in at that host")
    func pairThenPlay() throws {
        let pairing = PairingWorld()
        pairing.start()
        pairing.answer(.control)
        pairing.confirm()
        let grant = try #require(pairing.grant)
        var link = ShareLink(host: "10.0.0.1", port: 7236, fingerprint: nil, secret: grant.secret.bytes)
        link.device = grant.device
        #expect(SessionStartTests.outcome(of: link, at: pairing.host, connection: 7, now: .zero) == .admitted)
        // The secret is rejected by any other host.
        #expect(
            SessionStartTests.outcome(of: link, at: PairingWorld.makeHost(seed: 2), connection: 7, now: .zero)
                == .refused(.unknownDevice))
    }

    @Test("a visitor is the page's: a viewer of our own kind does not come by its secret")
    func visitor() {
        let host = PairingWorld.makeHost()
        var device = PairedDevice.test(1)
        device.isVisitor = true
        host.handle(.devices([device]), now: .zero)
        var link = ShareLink(host: "h", port: 1, fingerprint: nil, secret: device.secret.bytes)
        link.device = device.id
        #expect(
            SessionStartTests.outcome(of: link, at: host, connection: 1, now: .zero) == .refused(.unknownDevice))
    }

    @Test("an unknown device and a wrong secret are refused, and guessing is slowed down")
    func refused() {
        let host = PairingWorld.makeHost()
        host.handle(.devices([.test(1)]), now: .zero)
        var link = ShareLink(host: "h", port: 1, fingerprint: nil, secret: PairedDevice.test(1).secret.bytes)
        link.device = PairedDevice.test(2).id
        #expect(SessionStartTests.outcome(of: link, at: host, connection: 1, now: .zero) == .refused(.unknownDevice))
        link.device = PairedDevice.test(1).id
        link.secret[0] ^= 1
        for attempt in UInt64(2)..<6 {
            #expect(
                SessionStartTests.outcome(of: link, at: host, connection: attempt, now: .zero) == .refused(.wrongProof))
        }
        #expect(SessionStartTests.outcome(of: link, at: host, connection: 6, now: .zero) == .refused(.tooManyTries))
        link.secret[0] ^= 1
        #expect(SessionStartTests.outcome(of: link, at: host, connection: 7, now: .zero) == .admitted)
        // A device's secret is no valid link.
        link.device = nil
        #expect(
            SessionStartTests.outcome(of: link, at: host, connection: 8, now: .zero + .seconds(60))
                == .refused(.wrongProof))
    }

    @Test("somebody in between with another certificate can't make use of a pairing")
    func manInTheMiddle() throws {
        var world = SessionWorld(fingerprint: 8, device: .test())
        try world.run(.seconds(3))
        #expect(!world.viewer.isPlaying)
        #expect(world.viewer.ended?.code == .refused)
        #expect(world.stepper.network.aToB.counts.sent == 0)
    }

    @Test("a revoked device is put out at once, with what it held let go; others stay")
    func revoked() throws {
        var world = SessionWorld(device: .test())
        try world.run(.seconds(1))
        world.viewer.send(.key(usage: 9, modifiers: [], isDown: true), now: world.now)
        try world.run(.milliseconds(100))
        world.host.host.handle(.devices([.test(2)]), now: world.now)
        world.host.tick(now: world.now)
        try world.run(.milliseconds(100))
        #expect(world.viewer.ended?.code == .refused)
        #expect(world.viewer.ended?.remedy == .pairAgain(host: "10.0.0.1:7236"))
        #expect(world.host.injected == [.key(usage: 9, isDown: true), .key(usage: 9, isDown: false)])
        let left = world.host.events.compactMap {
            if case .left(_, _, let device, let reason) = $0 { "\(device ?? "?") \(reason)" } else { nil }
        }
        #expect(left == ["laptop is no longer paired"])

        // A viewer admitted by a link is not affected by changes of the list of devices.
        var guest = SessionWorld()
        try guest.run(.seconds(1))
        guest.host.host.handle(.devices([]), now: guest.now)
        guest.host.tick(now: guest.now)
        try guest.run(.seconds(1))
        #expect(guest.viewer.ended == nil && guest.viewer.isPlaying)
    }

    @Test("a device that was revoked and paired again under the same name and id, but another secret, is put out")
    func replacedSecret() throws {
        var world = SessionWorld(device: .test())
        try world.run(.seconds(1))
        var other = PairedDevice.test()
        other.secret = SecretBytes(Array(repeating: 3, count: 32))
        world.host.host.handle(.devices([other]), now: world.now)
        world.host.tick(now: world.now)
        try world.run(.milliseconds(100))
        #expect(world.viewer.ended?.code == .refused)
    }

    @Test("control is taken back at once: what is held is let go, and nothing more is done; and it can be given back")
    func takeControl() throws {
        for viewer in [nil, "laptop", "10.0.0.2"] {
            var world = SessionWorld(device: .test())
            try world.run(.seconds(1))
            world.viewer.send(.key(usage: 9, modifiers: [], isDown: true), now: world.now)
            world.viewer.send(.button(.left, isDown: true, x: 0.5, y: 0.5), now: world.now)
            try world.run(.milliseconds(100))
            let before = world.host.injected.count
            world.host.host.handle(.permitControl(false, viewer: viewer), now: world.now)
            world.host.tick(now: world.now)
            #expect(
                Set(world.host.injected.dropFirst(before)) == [
                    .key(usage: 9, isDown: false), .button(.left, isDown: false),
                ])
            let released = world.host.injected.count
            // Also before the viewer was notified.
            world.viewer.send(.key(usage: 10, modifiers: [], isDown: true), now: world.now)
            try world.run(.milliseconds(100))
            world.viewer.send(.key(usage: 11, modifiers: [], isDown: true), now: world.now)
            try world.run(.seconds(3))
            #expect(world.host.injected.count == released)
            #expect(world.viewer.permissions == [false] && world.viewer.ended == nil)

            world.host.host.handle(.permitControl(true, viewer: viewer), now: world.now)
            world.host.tick(now: world.now)
            try world.run(.milliseconds(100))
            world.viewer.send(.key(usage: 12, modifiers: [], isDown: true), now: world.now)
            try world.run(.milliseconds(100))
            #expect(world.host.injected.dropFirst(released) == [.key(usage: 12, isDown: true)])
            #expect(world.viewer.permissions == [false, true])
        }
    }

    @Test("control that was taken from all is not given to who comes later, nor by somebody else's name")
    func takenFromAll() throws {
        var world = SessionWorld(device: .test())
        world.host.host.handle(.permitControl(false, viewer: nil), now: world.now)
        world.host.host.handle(.permitControl(true, viewer: "another"), now: world.now)
        try world.run(.seconds(1))
        world.viewer.send(.key(usage: 9, modifiers: [], isDown: true), now: world.now)
        try world.run(.milliseconds(500))
        #expect(world.viewer.isPlaying && world.host.injected.isEmpty)
    }

    @Test("a changed permission takes effect while the device watches, in both directions")
    func changedPermission() throws {
        var world = SessionWorld(device: .test())
        try world.run(.seconds(1))
        world.viewer.send(.key(usage: 9, modifiers: [], isDown: true), now: world.now)
        try world.run(.milliseconds(100))
        world.host.host.handle(.devices([.test(allowsControl: false)]), now: world.now)
        world.host.tick(now: world.now)
        #expect(world.host.injected == [.key(usage: 9, isDown: true), .key(usage: 9, isDown: false)])
        // Both the settings and the pairing must allow control.
        world.host.host.handle(.permitControl(true, viewer: nil), now: world.now)
        world.host.tick(now: world.now)
        try world.run(.milliseconds(100))
        world.viewer.send(.key(usage: 10, modifiers: [], isDown: true), now: world.now)
        try world.run(.milliseconds(100))
        #expect(world.host.injected.count == 2)
        world.host.host.handle(.devices([.test(name: "renamed")]), now: world.now)
        world.host.tick(now: world.now)
        try world.run(.milliseconds(100))
        world.viewer.send(.key(usage: 11, modifiers: [], isDown: true), now: world.now)
        try world.run(.milliseconds(100))
        #expect(world.host.injected.dropFirst(2) == [.key(usage: 11, isDown: true)])
        #expect(world.viewer.permissions == [false, true])
        #expect(world.host.host.statistics.viewers.map(\.device) == ["renamed"])
    }

    @Test("the host's code pairs one device without a person, and proves the host too")
    func code() throws {
        let secret = SecretBytes(Array(repeating: 5, count: 10))
        let wrong = SecretBytes(Array(repeating: 6, count: 10))
        let host = PairingWorld.makeHost(pairing: .init(asks: false, code: secret))

        let guess = PairingWorld(host, method: .code(wrong))
        guess.start()
        #expect(guess.refusals == [.wrongCode] && guess.grant == nil)
        #expect(guess.ended?.code == .refused)

        let relayed = PairingWorld(host, method: .code(secret), connection: 2, fingerprint: 8)
        relayed.start()
        #expect(relayed.refusals == [.wrongCode] && relayed.grant == nil)

        // A host that grants without proof of the code is rejected.
        let impostor = PairingWorld(host, method: .code(secret), connection: 3)
        impostor.toHost = { $0.contains("\"code\"") ? [] : [$0] }
        impostor.start()
        impostor.viewer.handle(
            .received(
                Array(
                    ("RTSP/1.0 200 OK\r\nCSeq: 2\r\nHeliograph-Proof: \(String(repeating: "00", count: 32))\r\n"
                        + "Heliograph-Paired: Heliograph-Pairing device=\"\(String(repeating: "ab", count: 16))\", "
                        + "secret=\"\(String(repeating: "ab", count: 32))\", name=\"61\", permission=\"watch\"\r\n\r\n")
                        .utf8)), now: .zero)
        impostor.pump()
        #expect(impostor.grant == nil && impostor.ended?.message.contains("do not trust it") == true)

        let right = PairingWorld(host, method: .code(secret), connection: 4)
        right.start()
        #expect(right.grant != nil && right.grant?.secret == right.paired?.secret)
        let second = PairingWorld(host, method: .code(secret), connection: 5)
        second.start()
        #expect(second.refusals == [.off] && second.grant == nil, "the code is good for one device")
        let asked = PairingWorld(host, connection: 6)
        asked.start()
        #expect(asked.refusals == [.off], "and comparing stays off")
    }

    @Test("guessing the code is slowed down")
    func codeGuessing() {
        let host = PairingWorld.makeHost(pairing: .init(code: SecretBytes(Array(repeating: 5, count: 10))))
        var refusals: [PairingDesk.Refusal] = []
        for guess in UInt8(0)..<8 {
            let world = PairingWorld(
                host, method: .code(SecretBytes(Array(repeating: guess &+ 50, count: 10))), connection: UInt64(guess))
            world.start()
            refusals += world.refusals
        }
        #expect(refusals == Array(repeating: .wrongCode, count: 5) + Array(repeating: .tooManyTries, count: 3))
        let right = PairingWorld(
            host, method: .code(SecretBytes(Array(repeating: 5, count: 10))), connection: 20)
        right.start()
        #expect(right.grant != nil, "and the right one is let in all the same")
    }

    @Test("names are shown without what could mislead on a terminal")
    func names() {
        #expect(DeviceName.clean("laptop") == "laptop")
        #expect(DeviceName.clean("  my \u{1B}[31m  tablet\n") == "my [31m tablet")
        #expect(DeviceName.clean("a\u{202E}b\u{200B}c\u{0}") == "abc")
        #expect(DeviceName.clean("\u{1}\u{2}") == "unnamed device")
        #expect(DeviceName.clean(String(repeating: "é", count: 40)).utf8.count == 48)
        for text in ["", "x", " x ", "Ünïcode ☃", "a  b", String(repeating: "ab ", count: 40)] {
            let once = DeviceName.clean(text)
            #expect(DeviceName.clean(once) == once && once.utf8.count <= DeviceName.longest)
        }
    }
}
