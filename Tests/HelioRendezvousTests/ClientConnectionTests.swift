import HelioCore
import HelioRendezvous
import HelioRendezvousWire
import Testing

@Suite("A client's connection")
struct ClientConnectionTests {
    @Test("A host signs the challenge with the authority that it dialled, and is online once registered")
    func registration() throws {
        let stage = ClientStage()
        #expect(stage.connects == 1 && stage.sent.isEmpty)
        stage.feed(.connected)
        #expect(stage.sent.isEmpty, "the server speaks first")
        stage.receive(.challenge(version: 1, nonce: ClientStage.nonce))
        let text = RegistrationText.bytes(authority: ClientStage.authority, nonce: ClientStage.nonce)
        let signer = ToySigner(1)
        let signature = try signer.sign(text)
        #expect(stage.sent == [.register(publicKey: signer.publicKey, signature: signature)])
        #expect(!stage.isOnline)
        stage.receive(.registered(ClientStage.device))
        #expect(stage.isOnline && stage.events == [.online])
    }

    @Test("A viewer is online with the challenge, and registers not")
    func viewer() {
        let stage = ClientStage(registers: false, signer: nil)
        stage.comeOnline()
        #expect(stage.isOnline && stage.sent.isEmpty)
    }

    @Test("Waits double from a quarter of a second to half a minute, none below half of that", arguments: 1...8)
    func waits(seed: Int) {
        let stage = ClientStage(seed: UInt64(seed))
        var base = Duration.milliseconds(250)
        for _ in 0..<10 {
            stage.feed(.disconnected)
            let wait = stage.lastWait ?? .zero
            #expect(wait >= base / 2 && wait <= base)
            let before = stage.connects
            stage.pass(wait - .nanoseconds(1))
            #expect(stage.connects == before)
            stage.pass(.nanoseconds(1))
            #expect(stage.connects == before + 1)
            base = min(base * 2, .seconds(30))
        }
        #expect(base == .seconds(30))
    }

    @Test("Waits differ from device to device, and not from run to run")
    func seeds() {
        let waits = [1, 2, 1].map { seed in
            let stage = ClientStage(seed: UInt64(seed))
            stage.feed(.disconnected)
            return stage.lastWait
        }
        #expect(waits[0] != waits[1] && waits[0] == waits[2])
    }

    @Test("Ten good seconds begin the waits anew, nine do not")
    func goodSeconds() {
        for (seconds, isReset) in [(9, false), (10, true)] {
            let stage = ClientStage()
            for _ in 0..<6 {
                stage.feed(.disconnected)
                stage.pass(stage.lastWait ?? .zero)
            }
            stage.comeOnline()
            stage.pass(.seconds(seconds))
            stage.feed(.disconnected)
            let wait = stage.lastWait ?? .zero
            #expect((wait <= .milliseconds(250)) == isReset)
            #expect(isReset || wait >= .seconds(8))
        }
    }

    @Test("A connection, a challenge and a registration that do not come in time end the connection")
    func timeouts() {
        let stage = ClientStage()
        stage.pass(.milliseconds(29_999))
        #expect(stage.closes == 0)
        stage.pass(.milliseconds(1))
        #expect(stage.closes == 1)
        stage.pass(.seconds(1))
        stage.feed(.connected)
        stage.pass(.seconds(10))
        #expect(stage.closes == 2)
        stage.pass(.seconds(1))
        stage.feed(.connected)
        stage.receive(.challenge(version: 1, nonce: ClientStage.nonce))
        stage.pass(.seconds(10))
        #expect(stage.closes == 3)
    }

    @Test("A server that drains is left at once, but not again and again")
    func draining() {
        let stage = ClientStage()
        stage.comeOnline()
        stage.receive(.draining(seconds: 30))
        #expect(stage.closes == 1 && stage.connects == 2)
        #expect(stage.lastWait == .zero)
        stage.comeOnline()
        stage.receive(.draining(seconds: 30))
        #expect(stage.closes == 2 && stage.connects == 2)
        #expect(stage.lastWait != .zero)
        stage.pass(stage.lastWait ?? .zero)
        stage.comeOnline()
        stage.pass(.seconds(10))
        stage.receive(.draining(seconds: 30))
        #expect(stage.connects == 4 && stage.lastWait == .zero)
    }

    @Test("A refusal is reported, and one that lasts is answered with the longest wait")
    func refusals() {
        for reason in RefusalReason.allCases {
            let stage = ClientStage()
            stage.comeOnline()
            stage.receive(.refused(reason))
            #expect(stage.events.contains(.refused(reason)) && stage.closes == 1)
            let isLasting = [.blocked, .wrongSignature, .replaced, .protocolError].contains(reason)
            #expect(((stage.lastWait ?? .zero) >= .seconds(15)) == isLasting)
        }
    }

    @Test("Another version, and a key that does not sign, are not tried again soon")
    func hopeless() {
        let stage = ClientStage()
        stage.feed(.connected)
        stage.receive(.challenge(version: 2, nonce: ClientStage.nonce))
        #expect(stage.events.first == .refused(.protocolError) && stage.closes == 1)
        let broken = ClientStage(signer: BrokenSigner())
        broken.feed(.connected)
        broken.receive(.challenge(version: 1, nonce: ClientStage.nonce))
        #expect(broken.drops[.signingFailed] == 1 && broken.closes == 1)
        for each in [stage, broken] { #expect((each.lastWait ?? .zero) >= .seconds(15)) }
    }

    @Test("Bytes that are no frame end the connection; frames at a wrong time are dropped")
    func hostile() {
        let stage = ClientStage()
        stage.comeOnline()
        stage.receive(.challenge(version: 1, nonce: ClientStage.nonce), .registered(ClientStage.device))
        #expect(stage.drops[.unexpectedFrame] == 2 && stage.isOnline)
        stage.feed(.received([255]))
        #expect(stage.drops[.unparsable] == 1 && stage.closes == 1 && !stage.isOnline)
        stage.receive(.draining(seconds: 1))
        #expect(stage.drops[.notOnline] == 1)
    }

    @Test("Permits are published at each registration, with the time that is left of them")
    func permits() {
        let stage = ClientStage()
        let other = RingTag([UInt8](repeating: 6, count: 16))!
        let last = RingTag([UInt8](repeating: 8, count: 16))!
        stage.feed(
            .permits([
                Permit(tag: ClientStage.tag, seconds: 0), Permit(tag: other, seconds: 100),
                Permit(tag: last, seconds: 20),
            ]))
        #expect(stage.sent.isEmpty)
        stage.pass(.seconds(1))
        stage.comeOnline()
        #expect(
            stage.takeSent().last
                == .permit([
                    Permit(tag: ClientStage.tag, seconds: 0), Permit(tag: other, seconds: 99),
                    Permit(tag: last, seconds: 19),
                ]))
        stage.pass(.seconds(20))
        stage.feed(.disconnected)
        stage.pass(.seconds(1))
        stage.comeOnline()
        #expect(
            stage.takeSent().last
                == .permit([Permit(tag: ClientStage.tag, seconds: 0), Permit(tag: other, seconds: 78)]))
        stage.feed(.permits([]))
        #expect(stage.sent == [.permit([])])
    }

    @Test("More permits than a list holds are left out, and those of a viewer")
    func permitLimits() {
        let stage = ClientStage()
        stage.comeOnline()
        stage.feed(.permits([Permit](repeating: Permit(tag: ClientStage.tag, seconds: 0), count: 130)))
        #expect(stage.drops[.tooManyPermits] == 2)
        guard case .permit(let list) = stage.sent.last else {
            Issue.record("no permits")
            return
        }
        #expect(list.count == 128)
        let viewer = ClientStage(registers: false, signer: nil)
        viewer.feed(.permits([]))
        #expect(viewer.drops[.notRegistering] == 1)
    }

    @Test("Watches last over connections, and only watched devices are reported")
    func watches() {
        let stage = ClientStage(registers: false, signer: nil)
        stage.feed(.watch(ClientStage.device, ClientStage.token))
        for _ in 0..<2 {
            stage.comeOnline()
            #expect(stage.takeSent() == [.watch(ClientStage.device, ClientStage.token)])
            stage.feed(.disconnected)
            stage.pass(.seconds(1))
        }
        stage.comeOnline()
        _ = stage.takeEvents()
        let other = RendezvousID([UInt8](repeating: 8, count: 16))!
        stage.receive(
            .presence(ClientStage.device, .offline, secondsAgo: 60), .presence(other, .online, secondsAgo: 0))
        #expect(stage.events == [.presence(ClientStage.device, .offline, .seconds(60))])
        #expect(stage.drops[.notWatched] == 1)
        for number in 0..<70 {
            stage.feed(.watch(RendezvousID([UInt8](repeating: UInt8(100 + number), count: 16))!, ClientStage.token))
        }
        #expect(stage.drops[.tooManyWatches] == 7)
    }
}
