import HelioAdmission
import HelioCore
import HelioHost
import HelioOpenSSL
import HelioProtection
import HelioSession
import HelioSimulation
import Testing

@Suite("Pairing: two people compare codes")
struct PairingTests {
    @Test("both ends show the same code, and pair once both people have said yes", arguments: [true, false])
    func happyPath(hostFirst: Bool) throws {
        let world = PairingWorld()
        world.start()
        let question = try #require(world.question)
        #expect(question.name == "laptop")
        #expect(question.address == "10.0.0.2")
        #expect(world.shown == question.code)
        if hostFirst { world.answer(.control) } else { world.confirm() }
        #expect(world.grant == nil && world.paired == nil, "one yes is not two")
        if hostFirst { world.confirm() } else { world.answer(.control) }
        let grant = try #require(world.grant)
        let device = try #require(world.paired)
        #expect(grant.device == device.id && grant.secret == device.secret)
        #expect(grant.hostName == "tower" && device.name == "laptop")
        #expect(grant.allowsControl && device.allowsControl)
        #expect(world.isClosed && !world.isOver && world.refusals.isEmpty)
    }

    @Test("the host's person decides whether the device may drive")
    func watchOnly() throws {
        let world = PairingWorld()
        world.start()
        world.answer(.watch)
        world.confirm()
        #expect(try #require(world.grant).allowsControl == false)
        #expect(try #require(world.paired).allowsControl == false)
    }

    @Test("codes are six digits that are as good as random")
    func codes() {
        #expect("\(PairingCode(42))" == "000 042")
        #expect("\(PairingCode(123_456))" == "123 456")
        #expect(PairingCode(1_000_007) == PairingCode(7))
        let codes = (UInt64(1)...200).map { seed in
            let world = PairingWorld(seed: seed)
            world.start()
            #expect(world.shown != nil && world.shown == world.question?.code)
            return world.shown?.number ?? -1
        }
        #expect(Set(codes).count >= 198)
        // Of 200 random codes, some are in each tenth of the range.
        #expect(Set(codes.map { $0 / 100_000 }).count == 10)
    }

    @Test("where either person says no, nothing is paired")
    func no() {
        let denied = PairingWorld()
        denied.start()
        denied.confirm()
        denied.answer(.deny)
        #expect(denied.ended?.message.contains("said no") == true)
        #expect(denied.grant == nil && denied.paired == nil && denied.isOver)
        #expect(denied.refusals == [.denied])

        let early = PairingWorld()
        early.start()
        early.answer(.deny)
        #expect(early.ended?.code == .refused, "also while the viewer's person still looks")
        #expect(early.grant == nil && early.isOver)

        let doubted = PairingWorld()
        doubted.start()
        doubted.answer(.control)
        doubted.confirm(false)
        #expect(doubted.ended?.message.contains("in between") == true)
        #expect(doubted.grant == nil && doubted.paired == nil && doubted.isOver)
    }

    @Test("nobody answers: both ends give up within 65 s, and the next pairing can begin")
    func timeouts() {
        for (answers, confirms) in [(false, false), (true, false), (false, true)] {
            let world = PairingWorld()
            world.start()
            if answers { world.answer(.control) }
            if confirms { world.confirm() }
            world.pass(.seconds(59))
            #expect(world.ended == nil && !world.isOver)
            world.pass(.seconds(2))
            #expect(world.isOver && world.refusals == [.timedOut])
            world.pass(.seconds(5))
            #expect(world.ended?.code == .refused)
            let next = PairingWorld(world.host, connection: 2, now: world.now)
            next.start()
            #expect(next.question != nil)
        }
    }

    @Test("a viewer that begins and says no more makes room after 5 s")
    func silentViewer() {
        let world = PairingWorld()
        world.toHost = { $0.contains("reveal") ? [] : [$0] }
        world.start()
        #expect(world.question == nil)
        world.pass(.seconds(4))
        #expect(world.refusals.isEmpty)
        world.pass(.seconds(2))
        #expect(world.refusals == [.timedOut])
        #expect(!world.host.knows(world.connection))
        world.pass(.seconds(5))
        #expect(world.ended != nil)
    }

    @Test("a second pairing at once is refused, and the first goes on")
    func oneAtATime() {
        let first = PairingWorld()
        first.start()
        let second = PairingWorld(first.host, connection: 2, address: "10.0.0.3")
        second.start()
        #expect(second.refusals == [.busy])
        #expect(second.ended?.message.contains("somebody else") == true)
        first.answer(.control)
        first.confirm()
        #expect(first.grant != nil)
        let third = PairingWorld(first.host, connection: 3, address: "10.0.0.3")
        third.start()
        #expect(third.question != nil)
    }

    @Test("tries are few: 5 from an address, 10 from all, and they come back slowly")
    func rateLimit() {
        let host = PairingWorld.makeHost()
        var connection: UInt64 = 0
        func attempt(_ address: String, _ now: Instant) -> [PairingDesk.Refusal] {
            connection += 1
            let world = PairingWorld(host, connection: connection, address: address, now: now)
            world.start()
            world.disconnect()
            return world.refusals
        }
        let start = Instant.zero + .seconds(1000)
        for _ in 0..<5 { #expect(attempt("10.0.0.2", start) == []) }
        #expect(attempt("10.0.0.2", start) == [.tooManyTries])
        for other in 3..<8 { #expect(attempt("10.0.0.\(other)", start) == []) }
        #expect(attempt("10.0.0.9", start) == [.tooManyTries], "and all addresses together have a limit")
        #expect(attempt("10.0.0.9", start + .seconds(11)) == [])
        #expect(attempt("10.0.0.2", start + .seconds(25)) == [.tooManyTries])
        #expect(attempt("10.0.0.2", start + .seconds(40)) == [])
        #expect(attempt("10.0.0.2", start + .seconds(45)) == [.tooManyTries])
    }

    @Test("a host without anybody to ask pairs nobody")
    func off() {
        let world = PairingWorld(PairingWorld.makeHost(pairing: .init()))
        world.start()
        #expect(world.refusals == [.off])
        #expect(world.ended?.remedy == .pairByCodeFile)
    }

    @Test("an answer to somebody else's question is none, and what was revealed is not revealed again")
    func notItsTurn() throws {
        var random = SeededGenerator(seed: 4)
        let crypto = OpenSSLCrypto()
        let fingerprint = [UInt8](repeating: 1, count: 32)
        var desk = PairingDesk(.init(asks: true), fingerprint: fingerprint, crypto: crypto)
        let (one, other) = (ConnectionID(1), ConnectionID(2))
        let nonce = [UInt8](repeating: 7, count: PairingExchange.nonceLength)
        let exchange = try #require(PairingExchange(binding: fingerprint, viewerName: "laptop", viewerNonce: nonce))
        _ = try desk.begin(
            one, commitment: try exchange.commitment(crypto: crypto), name: "laptop", from: "10.0.0.2", now: .zero,
            random: &random)
        _ = try desk.reveal(one, nonce: nonce)
        #expect(throws: PairingDesk.Refusal.outOfOrder) { try desk.reveal(one, nonce: nonce) }
        #expect(try desk.answer(other, .control, random: &random) == nil)
        #expect(try desk.confirm(one, random: &random) == nil)
        #expect(try desk.answer(one, .watch, random: &random)?.allowsControl == false)
    }

    @Test("64 devices are enough")
    func tooManyDevices() {
        let host = PairingWorld.makeHost()
        host.handle(.devices((0..<UInt8(64)).map { PairedDevice.test($0) }), now: .zero)
        let world = PairingWorld(host)
        world.start()
        #expect(world.refusals == [.tooManyDevices])
        host.handle(.devices([.test(1)]), now: .zero)
        let next = PairingWorld(host, connection: 2)
        next.start()
        #expect(next.question != nil)
    }

    @Test("strangers' connections can't push a pairing out")
    func strangers() {
        let world = PairingWorld()
        world.start()
        for number in UInt64(100)..<400 {
            world.host.handle(.connected(ConnectionID(number), address: "10.0.0.9"), now: .zero)
        }
        world.pump()
        world.answer(.control)
        world.confirm()
        #expect(world.grant != nil)
    }
}

extension PairedDevice {
    /// A device with a secret of its own.
    static func test(_ number: UInt8 = 1, name: String = "laptop", allowsControl: Bool = true) -> PairedDevice {
        guard let id = DeviceID(Array(repeating: number, count: 16)) else { preconditionFailure("16 bytes") }
        return PairedDevice(
            id: id, name: name, secret: SecretBytes(Array(repeating: number ^ 0x55, count: 32)),
            allowsControl: allowsControl)
    }
}
