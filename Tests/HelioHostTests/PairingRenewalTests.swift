import HelioAdmission
import HelioCore
import HelioHost
import HelioProtection
import HelioSession
import HelioSimulation
import Testing

@Suite("A device that pairs again is the same device")
struct PairingRenewalTests {
    private static let code = SecretBytes(Array(repeating: 7, count: 10))

    private static func makeHost() -> SourceHost {
        let host = PairingWorld.makeHost(pairing: .init(asks: true, code: code))
        var device = PairedDevice.test(1, name: "Ann's laptop")
        device.sharesClipboard = false
        device.files = .never
        host.handle(.devices([device, .test(2)]), now: .zero)
        return host
    }

    private static func known(_ number: UInt8, secret: UInt8? = nil) -> PairingRenewal.Known {
        PairingRenewal.Known(device: PairedDevice.test(number).id, secret: PairedDevice.test(secret ?? number).secret)
    }

    private static func outcome(at host: SourceHost, _ device: UInt8, _ connection: UInt64) -> SessionStartTests.Outcome
    {
        var link = ShareLink(host: "h", port: 1, fingerprint: nil, secret: PairedDevice.test(device).secret.bytes)
        link.device = PairedDevice.test(device).id
        return SessionStartTests.outcome(of: link, at: host, connection: connection, now: .zero)
    }

    @Test(
        "the new pairing takes the old one's place, with its name and what was allowed beside control",
        arguments: [PairingSession.Method.compare, .code(code)])
    func renewed(_ method: PairingSession.Method) throws {
        let world = PairingWorld(Self.makeHost(), method: method, known: Self.known(1))
        world.start()
        world.answer(.control)
        world.confirm()
        let device = try #require(world.paired)
        #expect(world.grant?.device == device.id)
        #expect(device.replaces == PairedDevice.test(1).id && device.id != device.replaces)
        #expect(device.name == "Ann's laptop" && device.allowsControl)
        #expect(!device.sharesClipboard && device.files == .never)
        #expect(Self.outcome(at: world.host, 1, 7) == .refused(.unknownDevice), "by the old secret")
        #expect(Self.outcome(at: world.host, 2, 8) == .admitted, "another device")
    }

    @Test("whoever can't prove to be the device is a new one, and takes nothing away")
    func notShown() throws {
        var visitor = PairedDevice.test(3)
        visitor.isVisitor = true
        for (known, visitors) in [
            (nil, []), (Self.known(1, secret: 2), []), (Self.known(9), []), (Self.known(3), [visitor]),
        ] as [(PairingRenewal.Known?, [PairedDevice])] {
            let host = Self.makeHost()
            if !visitors.isEmpty { host.handle(.devices([.test(1)] + visitors), now: .zero) }
            let world = PairingWorld(host, known: known)
            world.start()
            world.answer(.watch)
            world.confirm()
            let device = try #require(world.paired)
            #expect(device.replaces == nil && device.name == "laptop" && device.sharesClipboard)
            #expect(Self.outcome(at: host, 1, 7) == .admitted)
        }
    }

    @Test("a proof of another pairing's nonces, and a field of another length, show nothing")
    func replayed() throws {
        let first = PairingWorld(Self.makeHost(), known: Self.known(1))
        var confirmation = ""
        first.toHost = {
            if $0.contains("renewal") { confirmation = $0 }
            return [$0]
        }
        first.start()
        first.answer(.watch)
        first.confirm()
        #expect(confirmation.contains("renewal"))
        let proof = try #require(confirmation.split(separator: "renewal=\"").last?.prefix { $0 != "\"" })
        for other in [String(proof), String(proof.dropLast(2)), ""] {
            let second = PairingWorld(Self.makeHost(), known: Self.known(1), seed: 2)
            second.toHost = { message in
                guard let range = message.firstRange(of: "renewal=\"") else { return [message] }
                let rest = message[range.upperBound...].drop { $0 != "\"" }
                return [message[..<range.upperBound] + other + rest].map { String($0) }
            }
            second.start()
            second.answer(.watch)
            second.confirm()
            #expect(try #require(second.paired).replaces == nil)
        }
    }
}
