import HelioAdmission
import HelioCore
import HelioHost
import HelioProtection
import HelioRemoteWire
import HelioSession
import Testing

@Suite("A browser is paired by comparing codes")
struct WebPairingTests {
    private static let nonce = [UInt8](repeating: 4, count: 16)

    private static func exchange(_ browser: Browser, name: String = "Firefox on Linux") throws -> PairingExchange {
        try #require(PairingExchange(binding: browser.binding, viewerName: name, viewerNonce: nonce))
    }

    /// Runs until both screens show a code; returns the two codes.
    private static func compare(
        _ world: WebWorld, _ browser: Browser, name: String = "Firefox on Linux", isVisit: Bool = false,
        isPhone: Bool = false
    ) throws -> (
        PairingCode, PairingDesk.Question
    ) {
        browser.hello(name: name, isVisit: isVisit, isPhone: isPhone)
        let exchange = try exchange(browser, name: name)
        browser.send(.pair(commitment: try exchange.commitment(crypto: Browser.crypto)))
        var hostNonce: [UInt8] = []
        for case .pairing(let nonce) in browser.received { hostNonce = nonce }
        let shown = try exchange.code(hostNonce: hostNonce, crypto: Browser.crypto)
        browser.send(.reveal(nonce: nonce))
        var questions: [PairingDesk.Question] = []
        for case .pairingAsked(let question) in world.events { questions.append(question) }
        return (shown, try #require(questions.last))
    }

    @Test("both people say yes: let in at once, and the secret comes by the data channel", arguments: [true, false])
    func paired(hostFirst: Bool) throws {
        let world = WebWorld()
        let browser = world.open()
        let (shown, question) = try Self.compare(world, browser, isPhone: hostFirst)
        #expect(question.code == shown && question.name == "Firefox on Linux" && question.address == browser.address)
        #expect(question.connection == browser.id)
        if hostFirst {
            world.tell(.answerPairing(browser.id, .control))
            #expect(browser.admitted == nil)
            browser.send(.confirm)
        } else {
            browser.send(.confirm)
            #expect(browser.admitted == nil)
            world.tell(.answerPairing(browser.id, .control))
        }
        let admitted = try #require(browser.admitted)
        #expect(admitted.proof == nil && admitted.control)
        var devices: [PairedDevice] = []
        for case .paired(let device, _) in world.events { devices.append(device) }
        let device = try #require(devices.first)
        #expect(devices.count == 1 && device.name == "Firefox on Linux" && device.allowsControl)
        #expect(device.kind == (hostFirst ? .phone : .browser))
        browser.connect()
        #expect(browser.pairing?.device == device.id.bytes && browser.pairing?.secret == device.secret.bytes)
        #expect(browser.ticket == nil)
        // The secret is never sent by the WebSocket.
        #expect(!browser.received.contains { $0.type == "paired" })

        browser.peer(.peerLeft)
        let again = world.open()
        again.join(device.secret, device: device.id.bytes)
        #expect(again.admitted != nil)
    }

    @Test("who can keep nothing is paired for a visit, and makes room for the next one")
    func visitors() throws {
        let world = WebWorld()
        var devices: [PairedDevice] = []
        for number in 0..<(PairedDevice.limit + 2) {
            let browser = world.open()
            _ = try Self.compare(world, browser, isVisit: true)
            browser.send(.confirm)
            world.tell(.answerPairing(browser.id, number % 2 == 0 ? .control : .watch))
            #expect(browser.admitted?.control == (number % 2 == 0))
            browser.connect()
            browser.peer(.peerLeft)
            // The budget of pairings by comparison refills slowly.
            world.pass(.seconds(31))
        }
        for case .paired(let device, _) in world.events { devices.append(device) }
        #expect(devices.count == PairedDevice.limit + 2 && devices.allSatisfy(\.isVisitor))
        for (device, isKnown) in [(devices[devices.count - 17], false), (devices[devices.count - 16], true)] {
            let again = world.open()
            again.join(device.secret, device: device.id.bytes)
            #expect((again.admitted != nil) == isKnown)
            #expect(isKnown || again.refused == .unknownDevice)
            if isKnown { #expect(again.admitted?.control == device.allowsControl) }
        }
    }

    @Test("to watch only")
    func watchOnly() throws {
        let world = WebWorld()
        let browser = world.open()
        _ = try Self.compare(world, browser)
        browser.send(.confirm)
        world.tell(.answerPairing(browser.id, .watch))
        #expect(browser.admitted?.control == false)
        browser.connect()
        #expect(browser.control == .forbidden)
    }

    @Test("who swaps a certificate makes the two codes differ, or the commitment wrong")
    func manInTheMiddle() throws {
        // The attacker relays with a certificate of his own towards the host: the commitment was made over another
        // binding.
        let world = WebWorld()
        let man = world.open(fingerprint: 66)
        man.hello()
        let victim = try WebBinding.digest(
            host: WebWorld.fingerprint, viewer: Array(repeating: 5, count: 32), crypto: Browser.crypto)
        let exchange = try #require(
            PairingExchange(binding: victim, viewerName: "Firefox on Linux", viewerNonce: Self.nonce))
        man.send(.pair(commitment: try exchange.commitment(crypto: Browser.crypto)))
        man.send(.reveal(nonce: Self.nonce))
        #expect(man.refused == .pairingMismatch)
        #expect(!world.events.contains { if case .pairingAsked = $0 { true } else { false } })

        // The attacker pairs with the host himself, and relays to the victim: the codes are equal only by chance.
        for seed in UInt64(1)...50 {
            let far = WebWorld(seed: seed)
            let (_, question) = try Self.compare(far, far.open(fingerprint: 66))
            let near = WebWorld(seed: seed &+ 1000)
            let (shown, _) = try Self.compare(near, near.open())
            #expect(question.code != shown)
        }
    }

    @Test("a no, a wrong nonce, silence and steps out of place end it")
    func refusals() throws {
        let world = WebWorld()
        let denied = world.open()
        _ = try Self.compare(world, denied)
        world.tell(.answerPairing(denied.id, .deny))
        #expect(denied.refused == .pairingDenied && denied.isClosed)

        let slow = world.open(address: "10.0.0.8")
        _ = try Self.compare(world, slow)
        world.pass(.seconds(59))
        #expect(!slow.isClosed)
        // Only one pairing at a time.
        let busy = world.open(address: "10.0.0.9")
        busy.hello()
        busy.send(.pair(commitment: Array(repeating: 1, count: 32)))
        #expect(busy.refused == .pairingBusy)
        world.pass(.seconds(2))
        #expect(slow.refused == .pairingTimedOut && slow.isClosed)
        #expect(world.events.contains { if case .pairingOver(slow.id) = $0 { true } else { false } })
        // A late answer does no harm.
        world.tell(.answerPairing(slow.id, .control))

        let mute = world.open(address: "10.0.0.10")
        mute.hello()
        mute.send(.pair(commitment: Array(repeating: 1, count: 32)))
        world.pass(.seconds(6))
        #expect(mute.refused == .pairingTimedOut)

        let hasty = world.open(address: "10.0.0.11")
        hasty.hello()
        hasty.send(.pair(commitment: Array(repeating: 1, count: 32)))
        hasty.send(.confirm)
        #expect(hasty.refused == .pairingOutOfOrder)

        let twice = world.open(address: "10.0.0.12")
        twice.hello()
        twice.send(.pair(commitment: Array(repeating: 1, count: 32)))
        twice.send(.pair(commitment: Array(repeating: 1, count: 32)))
        #expect(twice.refused == .pairingOutOfOrder)
        #expect(world.host.held["pairings"] == 0 && world.host.held["web"] == 0)
    }

    @Test("a viewer that leaves takes its question along")
    func left() throws {
        let world = WebWorld()
        let browser = world.open()
        _ = try Self.compare(world, browser)
        world.tell(.web(browser.id, .disconnected))
        #expect(world.events.contains { if case .pairingOver(browser.id) = $0 { true } else { false } })
        #expect(world.host.held["pairings"] == 0)
    }

    @Test("where nobody is there to compare, it is off")
    func off() {
        let world = WebWorld(asks: false)
        let browser = world.open()
        browser.hello()
        guard case .welcome(let welcome)? = browser.received.first else {
            Issue.record("no welcome")
            return
        }
        #expect(!welcome.pairing)
        browser.send(.pair(commitment: Array(repeating: 1, count: 32)))
        #expect(browser.refused == .pairingOff)
    }

    @Test("a name that could mislead is hashed as it came and shown clean")
    func names() throws {
        let world = WebWorld()
        let browser = world.open()
        let name = "Fire\u{202E}fox\u{7} on  " + String(repeating: "x", count: 60)
        let (shown, question) = try Self.compare(world, browser, name: name)
        #expect(question.code == shown)
        #expect(question.name == DeviceName.clean(name) && question.name.hasPrefix("Firefox on x"))
    }
}
