import HelioAdmission
import HelioCore
import HelioHost
import HelioOpenSSL
import HelioProtection
import HelioRemote
import HelioRemoteWire
import HelioSession
import HelioSimulation
import Testing

@Suite("Who comes without anybody at the host: by hours, and by pairing alone")
struct AccessTests {
    private static func device(_ text: String) throws -> PairedDevice {
        let hours: AccessHours = try #require(AccessHours(text))
        var device = PairedDevice.test()
        device.hours = hours
        return device
    }

    private static func link(of device: PairedDevice) -> ShareLink {
        var link = ShareLink(host: "h", port: 1, fingerprint: nil, secret: device.secret.bytes)
        link.device = device.id
        return link
    }

    @Test("a device with hours is refused outside them, and while the time is unknown, however often it asks")
    func hours() throws {
        let host = PairingWorld.makeHost()
        let device = try Self.device("08:00-18:00")
        host.handle(.devices([device]), now: .zero)
        var connection: UInt64 = 0
        func outcome(at time: String?) throws -> SessionStartTests.Outcome {
            connection += 1
            host.handle(.time(try time.map { try #require(TimeOfDay($0)) }), now: .zero)
            return SessionStartTests.outcome(of: Self.link(of: device), at: host, connection: connection, now: .zero)
        }
        #expect(
            SessionStartTests.outcome(of: Self.link(of: device), at: host, connection: 99, now: .zero)
                == .refused(.outsideHours), "before the first time")
        // More often than wrong proofs are answered.
        for _ in 0..<8 { #expect(try outcome(at: "07:59") == .refused(.outsideHours)) }
        #expect(try outcome(at: nil) == .refused(.outsideHours))
        #expect(try outcome(at: "18:00") == .refused(.outsideHours))
        #expect(try outcome(at: "08:00") == .admitted)
        #expect(host.statistics.drops["refused-outside-hours"] == 11)
        // Outside its hours the device may do nothing beside a session either.
        #expect(device.mayCome(at: TimeOfDay("08:00")) && PairedDevice.test().mayCome(at: nil))
        #expect(!device.mayCome(at: nil) && !device.mayCome(at: TimeOfDay("18:00")))
        // A wrong secret is refused as such, whatever the hours.
        var wrong = Self.link(of: device)
        wrong.secret[0] ^= 1
        host.handle(.time(TimeOfDay("07:00")), now: .zero)
        #expect(
            SessionStartTests.outcome(of: wrong, at: host, connection: 98, now: .zero) == .refused(.wrongProof))
    }

    @Test("who watches when its hours end is put out, with what it held let go, and told so; others stay")
    func end() throws {
        var world = SessionWorld(device: .test())
        try world.run(.seconds(1))
        world.host.host.handle(.time(TimeOfDay("17:59")), now: world.now)
        world.host.host.handle(.devices([try Self.device("08:00-18:00")]), now: world.now)
        world.viewer.send(.key(usage: 9, modifiers: [], isDown: true), now: world.now)
        try world.run(.milliseconds(100))
        #expect(world.viewer.isPlaying && world.viewer.ended == nil)
        world.host.host.handle(.time(TimeOfDay("18:00")), now: world.now)
        world.host.tick(now: world.now)
        try world.run(.milliseconds(100))
        #expect(world.viewer.ended?.code == .refused && world.viewer.ended?.reason == "outside-hours")
        #expect(world.viewer.ended?.message.contains("certain hours") == true)
        #expect(world.host.injected == [.key(usage: 9, isDown: true), .key(usage: 9, isDown: false)])
        let left = world.host.events.compactMap {
            if case .left(_, _, _, let reason) = $0 { reason } else { nil }
        }
        #expect(left == ["its hours are over"])

        var guest = SessionWorld()
        try guest.run(.seconds(1))
        guest.host.host.handle(.time(TimeOfDay("18:00")), now: guest.now)
        guest.host.tick(now: guest.now)
        try guest.run(.milliseconds(500))
        #expect(guest.viewer.isPlaying && guest.viewer.ended == nil, "a link has no hours")
    }

    @Test("a browser is told the same")
    func browsers() throws {
        let world = WebWorld()
        let device = try Self.device("22:00-06:00")
        world.tell(.devices([device]))
        world.tell(.time(TimeOfDay("12:00")))
        let early = world.open()
        early.join(device.secret, device: device.id.bytes)
        #expect(early.refused == .outsideHours && early.isClosed)
        world.tell(.time(TimeOfDay("23:00")))
        let browser = world.open()
        browser.join(device.secret, device: device.id.bytes)
        browser.connect()
        #expect(browser.control == .free)
        world.tell(.time(TimeOfDay("06:00")))
        #expect(browser.told.last == .bye(reason: "outside-hours") && browser.isPeerClosed && browser.isClosed)
    }

    @Test("a device that is paired again keeps its hours")
    func renewed() throws {
        let host = PairingWorld.makeHost()
        let device = try Self.device("08:00-18:00")
        host.handle(.devices([device]), now: .zero)
        let world = PairingWorld(host, known: .init(device: device.id, secret: device.secret))
        world.start()
        world.answer(.control)
        world.confirm()
        #expect(world.paired?.replaces == device.id && world.paired?.hours == device.hours)
    }

    @Test("with paired devices alone no link lets anybody in, and guesses are slowed down; a paired device comes")
    func pairedOnly() throws {
        var settings = SourceHost.Settings(format: .test, allowsControl: true, name: "tower")
        settings.admitsLinks = false
        let host = SourceHost(
            settings, fingerprint: Array(repeating: 9, count: 32), crypto: OpenSSLCrypto(),
            random: SeededGenerator(seed: 1), now: .zero)
        host.setPorts(media: 7236, control: 7237)
        let device = PairedDevice.test()
        host.handle(.devices([device]), now: .zero)
        let right = ShareLink(host: "h", port: 1, fingerprint: nil, secret: host.linkSecret.bytes)
        for connection in UInt64(1)...5 {
            #expect(
                SessionStartTests.outcome(of: right, at: host, connection: connection, now: .zero)
                    == .refused(.pairedOnly))
        }
        #expect(
            SessionStartTests.outcome(of: right, at: host, connection: 6, now: .zero) == .refused(.tooManyTries))
        #expect(
            SessionStartTests.outcome(of: Self.link(of: device), at: host, connection: 7, now: .zero) == .admitted)
    }
}
