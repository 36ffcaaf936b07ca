import HelioAdmission
import HelioCore
import HelioHost
import HelioOpenSSL
import HelioProtection
import HelioSession
import Testing

@Suite("Pairing: somebody in between, and junk")
struct HostilePairingTests {
    /// 16 and 32 bytes in hexadecimal.
    private static let ab16 = String(repeating: "ab", count: 16)
    private static let ab32 = ab16 + ab16

    private static func field(_ name: String, in message: String) -> String? {
        guard let start = message.firstRange(of: " \(name)=\"") else { return nil }
        return String(message[start.upperBound...].prefix { $0 != "\"" })
    }

    @Test("who only relays, with a certificate of his own, is found out by the host before any code is shown there")
    func relay() {
        let world = PairingWorld(fingerprint: 8)
        world.start()
        #expect(world.question == nil)
        #expect(world.refusals == [.mismatch])
        #expect(world.ended?.code == .refused)
    }

    @Test("who pairs with both ends himself makes them show different codes")
    func manInTheMiddle() throws {
        for seed in UInt64(1)...100 {
            // A man in the middle: the viewer pairs with the attacker's host, and the attacker with the real host.
            let near = PairingWorld(
                PairingWorld.makeHost(seed: seed &+ 5000, fingerprint: 8), fingerprint: 8, seed: seed)
            near.start()
            let far = PairingWorld(PairingWorld.makeHost(seed: seed), seed: seed &+ 9000)
            far.start()
            #expect(try #require(near.shown) != (try #require(far.question).code))
        }
    }

    @Test("who forwards the host's nonce and keys of his own gets different codes too")
    func forwardedNonce() throws {
        for seed in UInt64(1)...100 {
            let far = PairingWorld(seed: seed)
            var hostNonce = ""
            far.toViewer = { message in
                if let nonce = Self.field("nonce", in: message) { hostNonce = nonce }
                return [message]
            }
            far.start()
            let near = PairingWorld(PairingWorld.makeHost(seed: 1, fingerprint: 8), fingerprint: 8, seed: seed)
            near.toViewer = { message in
                guard let nonce = Self.field("nonce", in: message) else { return [message] }
                return [message.replacing(nonce, with: hostNonce)]
            }
            near.start()
            #expect(!hostNonce.isEmpty)
            #expect(try #require(near.shown) != (try #require(far.question).code))
        }
    }

    @Test("who grinds for a nonce that gives the victim's code can't use it: it was committed to another")
    func grinding() throws {
        let crypto = OpenSSLCrypto()
        let own = [UInt8](repeating: 9, count: 32)
        let victim = PairingCode(77)
        let world = PairingWorld()
        var revealed = ""
        world.toHost = { message in
            guard message.contains("\"reveal\""), let nonce = Self.field("nonce", in: message) else { return [message] }
            revealed = nonce
            return []
        }
        var hostNonce: [UInt8] = []
        world.toViewer = { message in
            if let nonce = Self.field("nonce", in: message) { hostNonce = Hexadecimal.bytes(nonce)! }
            return [message]
        }
        world.start()
        // The attacker knows the host's nonce now, and searches for one of his own that gives the same code. Two of the
        // six digits suffice for a test.
        var found: [UInt8]?
        for number in 0..<UInt32(100_000) where found == nil {
            var nonce = [UInt8](repeating: 0, count: 16)
            for place in 0..<4 { nonce[place] = UInt8(truncatingIfNeeded: number >> UInt32(place * 8)) }
            let exchange = try #require(
                PairingExchange(binding: own, viewerName: "laptop", viewerNonce: nonce))
            if try exchange.code(hostNonce: hostNonce, crypto: crypto).number % 100 == victim.number { found = nonce }
        }
        let nonce = try #require(found)
        #expect(!revealed.isEmpty)
        world.inject("Heliograph-Pairing step=\"reveal\", nonce=\"\(Hexadecimal.text(nonce))\"")
        #expect(world.question == nil, "no code is shown")
        #expect(world.refusals == [.mismatch])
    }

    @Test("a commitment binds the certificate, the name and the nonce; the code binds the host's nonce too")
    func binding() throws {
        let crypto = OpenSSLCrypto()
        let print = [UInt8](repeating: 9, count: 32)
        let nonce = [UInt8](repeating: 1, count: 16)
        let other = [UInt8](repeating: 2, count: 16)
        func make(_ fingerprint: [UInt8], _ name: String, _ nonce: [UInt8]) throws -> PairingExchange {
            try #require(PairingExchange(binding: fingerprint, viewerName: name, viewerNonce: nonce))
        }
        let exchange = try make(print, "a", nonce)
        let commitment = try exchange.commitment(crypto: crypto)
        #expect(try exchange.matches(commitment, crypto: crypto))
        for changed in [
            try make(Array(repeating: 8, count: 32), "a", nonce), try make(print, "b", nonce),
            try make(print, "a", other),
        ] {
            #expect(try !changed.matches(commitment, crypto: crypto))
            #expect(
                try changed.code(hostNonce: other, crypto: crypto) != exchange.code(hostNonce: other, crypto: crypto))
        }
        #expect(try exchange.code(hostNonce: nonce, crypto: crypto) != exchange.code(hostNonce: other, crypto: crypto))
        #expect(try !exchange.matches([], crypto: crypto))
        #expect(try !exchange.matches(Array(commitment.dropLast()), crypto: crypto))
        #expect(PairingExchange(binding: [], viewerName: "a", viewerNonce: nonce) == nil)
        #expect(PairingExchange(binding: print, viewerName: "a", viewerNonce: nonce + [0]) == nil)
        // The hashed messages, spelled out: they must not change between versions.
        let fields: [[UInt8]] = [Array("heliograph pairing commitment 1".utf8), print, [0x61], nonce]
        func behindLengths(_ fields: [[UInt8]]) -> [UInt8] {
            fields.reduce(into: []) { $0 += [0, 0, 0, UInt8($1.count)] + $1 }
        }
        let message = behindLengths(fields)
        #expect(try crypto.sha256(message.span.bytes) == commitment)
        let more: [[UInt8]] = [Array("heliograph pairing code 1".utf8), print, [0x61], nonce, other]
        let moreMessage = behindLengths(more)
        let digest = try crypto.sha256(moreMessage.span.bytes)
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        #expect(try exchange.code(hostNonce: other, crypto: crypto).number == Int(number))
    }

    @Test("a message that comes twice ends the pairing", arguments: ["begin", "reveal", "confirm"])
    func repeated(step: String) {
        let world = PairingWorld()
        world.toHost = { $0.contains("\"\(step)\"") ? [$0, $0] : [$0] }
        world.start()
        world.confirm()
        world.answer(.control)
        #expect(world.grant == nil && world.paired == nil)
        #expect(world.refusals == [.outOfOrder])
        #expect(!world.host.knows(world.connection))
    }

    @Test("messages of another pairing are worth nothing in this one")
    func replayed() {
        var heard: [String] = []
        let first = PairingWorld()
        first.toHost = { message in
            heard.append(message)
            return [message]
        }
        first.start()
        first.confirm()
        first.answer(.control)
        #expect(first.grant != nil && heard.count == 3)

        let second = PairingWorld(first.host, connection: 2, seed: 2)
        var next = 0
        second.toHost = { _ in
            defer { next += 1 }
            return next < heard.count ? [heard[next]] : []
        }
        second.start()
        // With the same commitment and nonce but a new host nonce, the code changes, and the two ends differ.
        #expect(second.question?.code != first.question?.code)
        #expect(second.question?.code != second.shown)
        second.answer(.deny)
        #expect(second.grant == nil)
    }

    @Test(
        "what comes too early or has a wrong form ends the pairing",
        arguments: [
            ("Heliograph-Pairing step=\"confirm\"", PairingDesk.Refusal.outOfOrder),
            ("Heliograph-Pairing step=\"reveal\", nonce=\"\(Self.ab16)\"", .outOfOrder),
            ("Heliograph-Pairing step=\"reveal\", nonce=\"ab\"", .malformed),
            ("Heliograph-Pairing step=\"reveal\"", .malformed),
            ("Heliograph-Pairing step=\"nonce\", nonce=\"\(Self.ab16)\"", .malformed),
            ("Heliograph-Pairing step=\"compare\"", .malformed), ("Heliograph-Pairing", .malformed),
            ("Heliograph-Pairing step=\"begin\", commitment=\"abcd\", name=\"61\"", .malformed),
            (
                "Heliograph-Pairing step=\"begin\", commitment=\"\(Self.ab32)\", name=\"\"",
                .malformed
            ),
            (
                "Heliograph-Pairing step=\"begin\", commitment=\"\(Self.ab32)\", name=\"1b5b\"",
                .malformed
            ),
            (
                "Heliograph-Pairing step=\"begin\", commitment=\"\(Self.ab32)\", "
                    + "name=\"\(String(repeating: "61", count: 49))\"", .malformed
            ),
            ("Heliograph-Pairing step=\"confirm\", x=\"\(String(repeating: "a", count: 600))\"", .malformed),
            (
                "Heliograph-Pairing step=\"code\", nonce=\"\(Self.ab16)\", "
                    + "proof=\"\(Self.ab32)\", name=\"61\"", .outOfOrder
            ),
        ])
    func outOfPlace(header: String, refusal: PairingDesk.Refusal) {
        let world = PairingWorld()
        world.host.handle(.connected(world.connection, address: world.address), now: .zero)
        world.inject(header)
        #expect(world.refusals == [refusal])
        #expect(world.isClosed && !world.host.knows(world.connection))
    }

    @Test("a message that is cut anywhere, or has any character changed, never pairs ends that have seen other things")
    func damaged() {
        for (step, isCut) in [("begin", true), ("begin", false), ("reveal", true), ("reveal", false)] {
            var unpaired = 0
            for position in 0..<160 {
                let world = PairingWorld()
                world.toHost = { message in
                    guard message.contains("\"\(step)\""), let start = message.firstRange(of: "Heliograph-Pairing")
                    else { return [message] }
                    let value = message[start.upperBound...].prefix { $0 != "\r" }
                    guard position < value.count - 1 else { return [message] }
                    let place = value.index(value.startIndex, offsetBy: position)
                    let character: Character = value[place] == "0" ? "1" : "0"
                    var changed = value
                    if isCut {
                        changed = value[..<place]
                    } else {
                        changed.replaceSubrange(place...place, with: [character])
                    }
                    return [message.replacing(value, with: changed)]
                }
                world.start()
                world.confirm()
                world.answer(.control)
                // Quotes and spaces are insignificant; any other change alters what the ends see.
                if world.question != nil { #expect(world.question?.code == world.shown) }
                #expect((world.grant != nil) == (world.paired != nil))
                if world.grant == nil { unpaired += 1 }
            }
            // Damage past the end of a short message has no effect.
            #expect(unpaired > (step == "begin" ? 90 : 50))
        }
    }

    @Test("a host that answers what was not asked, or gives before it was confirmed, is left")
    func hostileHost() {
        let grant =
            "RTSP/1.0 200 OK\r\nCSeq: 3\r\nHeliograph-Paired: Heliograph-Pairing device=\"\(Self.ab16)\", "
            + "secret=\"\(Self.ab32)\", name=\"61\", permission=\"control\"\r\n\r\n"
        for step in ["\"nonce\"", "\"compare\""] {
            let world = PairingWorld()
            world.toViewer = { $0.contains(step) ? [$0, grant] : [$0] }
            world.start()
            #expect(world.grant == nil)
            #expect(world.ended != nil)
        }
        let early = PairingWorld()
        early.toViewer = { _ in [grant] }
        early.start()
        #expect(early.grant == nil && early.ended?.code == .unsupported)
        // A host of an older version requests a link's proof.
        let old = PairingWorld()
        old.toViewer = { _ in ["RTSP/1.0 401 U\r\nCSeq: 1\r\nWWW-Authenticate: Heliograph nonce=\"00\"\r\n\r\n"] }
        old.start()
        #expect(old.ended?.code == .unsupported)
    }

    @Test("ten thousand runs in random order: nothing hangs, and nothing is paired without two yes")
    func randomOrders() {
        var paired = 0
        for seed in UInt64(0)..<10_000 {
            var generator = SeededGenerator(seed: seed)
            let world = PairingWorld(seed: seed)
            var yes = (host: false, viewer: false)
            let trouble = Int.random(in: 0..<8, using: &generator)
            world.toHost = { message in
                switch Int.random(in: 0..<40, using: &generator) {
                case 0 where trouble == 1: return []
                case 1 where trouble == 2: return [message, message]
                case 2 where trouble == 3: return [String(message.prefix(message.count / 2))]
                case 3 where trouble == 4: return [message.replacing("a", with: "b")]
                default: return [message]
                }
            }
            world.start()
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                switch Int.random(in: 0..<9, using: &generator) {
                case 0, 1:
                    if world.question != nil { yes.host = true }
                    world.answer(.control)
                case 2, 3:
                    if world.shown != nil { yes.viewer = true }
                    world.confirm()
                case 4: world.pass(.milliseconds(Int.random(in: 0...20_000, using: &generator)))
                case 5 where trouble == 5: world.disconnect()
                case 6 where trouble == 6: world.answer(.deny)
                case 7 where trouble == 7: world.confirm(false)
                default: world.host.handle(.answerPairing(ConnectionID(999), .control), now: world.now)
                }
            }
            if world.grant != nil || world.paired != nil {
                paired += 1
                #expect(yes.host && yes.viewer)
                #expect(world.question?.code == world.shown)
            }
            world.pass(.seconds(70))
            #expect(world.ended != nil || world.grant != nil, "run \(seed) hangs at the viewer")
            #expect(!world.host.knows(world.connection), "run \(seed) hangs at the host")
            let next = PairingWorld(world.host, connection: 2, now: world.now)
            next.start()
            #expect(next.question != nil, "run \(seed) has kept the place")
        }
        #expect(paired > 2000)
    }
}
