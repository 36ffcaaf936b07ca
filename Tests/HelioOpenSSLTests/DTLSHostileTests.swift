import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioSimulation
import Testing

@Suite("DTLS under attack")
struct DTLSHostileTests {
    /// The datagrams of a handshake on a perfect network, by sender.
    private static func handshake() throws -> (client: [[UInt8]], server: [[UInt8]]) {
        let world = DTLSWorld(try DTLSEnd(.client), try DTLSEnd(.server))
        var flights: (client: [[UInt8]], server: [[UInt8]]) = ([], [])
        world.a.tamper = {
            flights.client.append($1)
            return $1
        }
        world.b.tamper = {
            flights.server.append($1)
            return $1
        }
        try world.settle()
        try #require(world.isConnected)
        return flights
    }

    private func connected() throws -> DTLSWorld {
        let world = DTLSWorld(try DTLSEnd(.client), try DTLSEnd(.server))
        try world.settle()
        try #require(world.isConnected)
        return world
    }

    /// Returns whether data arrives in both directions.
    private func works(_ world: DTLSWorld, _ data: [UInt8]) throws -> Bool {
        try world.a.transport.send(data)
        try world.b.transport.send(data)
        try world.settle()
        return world.a.received.last == data && world.b.received.last == data
            && world.a.failure == nil && world.b.failure == nil
    }

    /// Runs handshakes with one modified datagram each; `change` returns `nil` if it does not apply.
    private func runChanged(
        _ role: DTLSRole, _ index: Int, _ what: String, _ change: @escaping ([UInt8]) -> [UInt8]?
    ) throws -> Bool {
        let world = DTLSWorld(try DTLSEnd(.client), try DTLSEnd(.server))
        (role == .client ? world.a : world.b).tamper = { $0 == index ? change($1) : $1 }
        try world.run(for: .seconds(31))
        #expect(world.a.isDecided && world.b.isDecided, "\(what)")
        let bothConnected = world.a.session != nil && world.b.session != nil
        if bothConnected { #expect(world.isConnected, "\(what)") }
        return bothConnected
    }

    @Test("a flipped bit in any byte of a flight", arguments: [DTLSRole.client, .server])
    func flips(_ role: DTLSRole) throws {
        let flights = try Self.handshake()
        var survived = 0
        for (index, datagram) in (role == .client ? flights.client : flights.server).enumerated() {
            for offset in datagram.indices {
                let stands = try runChanged(role, index, "datagram \(index), byte \(offset)") { bytes in
                    var bytes = bytes
                    if offset < bytes.count { bytes[offset] ^= 1 << UInt8(offset % 8) }
                    return bytes
                }
                if stands { survived += 1 }
            }
        }
        // Modifications that are recognised as invalid are dropped and retransmitted: those of record headers, and of
        // encrypted data.
        #expect(survived > 50)
    }

    @Test("a flight that is cut short", arguments: [DTLSRole.client, .server])
    func cuts(_ role: DTLSRole) throws {
        let flights = try Self.handshake()
        for (index, datagram) in (role == .client ? flights.client : flights.server).enumerated() {
            for count in stride(from: 0, to: datagram.count, by: 5) {
                let stands = try runChanged(role, index, "datagram \(index), \(count) bytes") {
                    Array($0.prefix(count))
                }
                // Records are processed whole or dropped, so a truncation is equivalent to a loss.
                #expect(stands, "datagram \(index), \(count) bytes")
            }
        }
    }

    @Test("junk is a counted drop at any time")
    func junk() throws {
        var generator = SeededGenerator(seed: 4)
        let flights = try Self.handshake()
        let fresh = try DTLSEnd(.server)
        let world = try connected()
        let seeds = flights.client + flights.server
        let before = world.a.transport.drops.total + world.b.transport.drops.total
        for round in 0..<4000 {
            var bytes =
                round % 4 == 0
                ? (0..<Int.random(in: 0...200, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }
                : try #require(seeds.randomElement(using: &generator))
            for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
                let place = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = .random(in: 0...255, using: &generator)
                case 1: bytes.removeSubrange(place...)
                case 2: bytes.insert(contentsOf: bytes[place...].prefix(30), at: place)
                default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                }
            }
            // Set to epoch 1, as in records of the association.
            if round % 5 == 0, bytes.count > 4 { bytes[3...4] = [0, 1] }
            world.a.transport.handle(bytes, now: world.now)
            world.b.transport.handle(bytes, now: world.now)
            fresh.transport.handle(bytes, now: .zero)
            while fresh.pollDatagram(now: .zero) != nil {}
        }
        #expect(try works(world, [1, 2, 3]))
        #expect(world.a.received.count == 1 && world.b.received.count == 1)
        #expect(world.a.transport.drops.total + world.b.transport.drops.total > before + 7000)
        #expect(fresh.session == nil && fresh.transport.drops.total > 1000)
    }

    /// An attacker can make these records; only the authentication tag shows that they are forged.
    @Test("a record that names the keys' epoch and is not genuine ends nothing, whatever its kind and length")
    func forgedEpoch() throws {
        for type in 20...23 as ClosedRange<UInt8> {
            for count in [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 23, 24, 25, 26, 40, 300] {
                let world = try connected()
                let forged = Self.record(type, epoch: 1, [UInt8](repeating: 1, count: count))
                for end in [world.a, world.b] { end.transport.handle(forged, now: world.now) }
                #expect((try? works(world, [1, 2, 3])) == true, "type \(type), \(count) bytes")
            }
        }
    }

    /// Random datagrams of an outsider before every datagram of a handshake don't abort it.
    @Test("a handshake stands in spite of junk")
    func junkDuringHandshake() throws {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<100 {
            let world = DTLSWorld(try DTLSEnd(.client), try DTLSEnd(.server))
            for end in [world.a, world.b] {
                for type in [0, 0x80, 19, 20, 21, 22, 23, 24, 25, 63, 64, 255] as [UInt8] {
                    let count = Int.random(in: 0...60, using: &generator)
                    let rest = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                    end.transport.handle([type] + rest, now: .zero)
                    // With a valid header; without alerts, which any peer may send in clear text.
                    if type == 21 || count < 3 { continue }
                    end.transport.handle(
                        [type, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 1, 0, 0, UInt8(count)] + rest, now: .zero)
                }
            }
            try world.run(for: .seconds(1))
            #expect(world.isConnected)
        }
    }

    struct Forgery: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let drop: DTLSDrop
    }

    static func record(
        _ type: UInt8, version: UInt16 = 0xFEFD, epoch: UInt16 = 0, length: UInt16? = nil, _ body: [UInt8]
    ) -> [UInt8] {
        var bytes = [type]
        bytes.append(bigEndian: version)
        bytes.append(bigEndian: UInt64(epoch) << 48 | 1000)
        bytes.append(bigEndian: length ?? UInt16(body.count))
        return bytes + body
    }

    /// Datagrams dropped before and after the handshake, with the name of each drop.
    static let forgeries = [
        Forgery(testDescription: "nothing", bytes: [], drop: .truncated),
        Forgery(testDescription: "STUN", bytes: [0, 1, 0, 0], drop: .notDTLS),
        Forgery(testDescription: "RTP", bytes: [0x80] + [UInt8](repeating: 0, count: 30), drop: .notDTLS),
        Forgery(testDescription: "half a header", bytes: Array(record(22, [1]).prefix(12)), drop: .truncated),
        Forgery(testDescription: "half a record", bytes: record(23, epoch: 1, length: 9, [1]), drop: .truncated),
        Forgery(testDescription: "no fragment", bytes: record(22, []), drop: .malformed),
        Forgery(testDescription: "TLS", bytes: record(22, version: 0x0303, [1, 2]), drop: .malformed),
        Forgery(testDescription: "heartbeat", bytes: record(24, epoch: 1, [1, 2]), drop: .malformed),
        Forgery(testDescription: "a later epoch", bytes: record(23, epoch: 2, [1, 2]), drop: .wrongEpoch),
        Forgery(testDescription: "the last epoch", bytes: record(22, epoch: 0xFFFF, [1, 2]), drop: .wrongEpoch),
    ]

    @Test("what a record can't be has a name", arguments: forgeries)
    func forged(_ forgery: Forgery) throws {
        let fresh = try DTLSEnd(.server)
        let world = try connected()
        for end in [fresh, world.a, world.b] {
            let before = end.transport.drops[forgery.drop]
            end.transport.handle(forgery.bytes, now: world.now)
            #expect(end.transport.drops[forgery.drop] == before + 1)
        }
        #expect(try works(world, [7]))
    }

    @Test("a handshake takes nothing in clear but its own messages")
    func clear() throws {
        let fresh = try DTLSEnd(.server)
        fresh.transport.handle(Self.record(23, [1, 2, 3]), now: .zero)
        #expect(fresh.transport.drops[.clearData] == 1)
        let header: [UInt8] = [1, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]
        let wrong: [[UInt8]] = [
            [1], header, header + [10] + [UInt8](repeating: 0, count: 10), header + [9, 0],
            [99, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0], [1, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0],
        ]
        for body in wrong { fresh.transport.handle(Self.record(22, body), now: .zero) }
        #expect(fresh.transport.drops[.badHandshake] == wrong.count)
        #expect(fresh.failure == nil && fresh.pollDatagram(now: .zero) == nil)
    }

    @Test("an association that stands can't be ended from outside")
    func forgedEnd() throws {
        let world = try connected()
        // Fatal handshake_failure and close_notify in clear text, then with the encrypted epoch.
        for alert in [[2, 40], [1, 0]] as [[UInt8]] {
            world.a.transport.handle(Self.record(21, alert), now: world.now)
            world.b.transport.handle(
                Self.record(21, epoch: 1, alert + [UInt8](repeating: 0, count: 24)), now: world.now)
        }
        #expect(world.a.transport.drops[.oldEpoch] == 2)
        #expect(try works(world, [7]))
    }

    @Test("data arrives once, and only if it is genuine")
    func replay() throws {
        let world = try connected()
        try world.a.transport.send([1, 2, 3])
        guard case .datagram(let genuine) = world.a.transport.poll() else {
            Issue.record("nothing sent")
            return
        }
        for offset in genuine.indices {
            var changed = genuine
            changed[offset] ^= 1
            world.b.transport.handle(changed, now: world.now)
        }
        _ = world.b.pollDatagram(now: world.now)
        #expect(world.b.received.isEmpty)
        for _ in 0..<3 { world.b.transport.handle(genuine, now: world.now) }
        _ = world.b.pollDatagram(now: world.now)
        #expect(world.b.received == [[1, 2, 3]])
        #expect(world.b.transport.drops[.refused] > 25)
        #expect(try works(world, [7]))
    }
}
