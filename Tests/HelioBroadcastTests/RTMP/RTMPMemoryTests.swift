import HelioCore
import HelioRTMP
import HelioSimulation
import Testing

@testable import HelioBroadcast

/// Whatever a server does, what is held for it has a bound: SECURITY.md, "Broadcasting".
struct RTMPMemoryTests {
    /// 16 MiB of stream that waits, a picture that is on its way, and what else there is.
    private static let most = 20 << 20
    /// Nothing waits: what comes of a server is bounded by the longest message.
    private static let mostHeard = 1 << 20

    @Test("a server that takes nothing") func takesNothing() throws {
        var world = try RTMPWorld { $0.queueAge = .seconds(60) }
        world.run(for: .seconds(1))
        #expect(world.states.last == .live)
        world.isStalled = true
        var (highest, number) = (0, UInt32(0))
        for _ in 0..<12 {
            number += world.stream(for: .milliseconds(660), from: number, size: 200_000)
            let held = heldBytes(world.broadcast) + world.heldBackBytes
            #expect(held < Self.most, "\(held)")
            highest = max(highest, held)
        }
        // More than twice as much was to be sent, and a good share of it is held.
        #expect(Int(number) * 200_000 > 2 * Self.most)
        #expect(highest > 4 << 20, "\(highest)")
    }

    private final class Box {
        var server: ScriptedServer?
    }

    /// Within the limit of a message all is kept; beyond it the connection is given up, again and again.
    @Test("a server that begins messages and ends none", arguments: [4, 12])
    func beginsMessages(rounds: Int) throws {
        var world = try RTMPWorld()
        world.script = { [box = Box()] bytes in
            if bytes.isEmpty { box.server = ScriptedServer(answers: 3, raw: Self.beginnings(rounds)) }
            return box.server?.answer(bytes) ?? []
        }
        var highest = 0
        for _ in 0..<120 {
            world.run(for: .milliseconds(250))
            highest = max(highest, heldBytes(world.broadcast))
        }
        #expect(highest < Self.mostHeard, "\(highest)")
        if rounds < 10 { #expect(highest > 30_000 && world.connects == 1) } else { #expect(world.connects > 3) }
    }

    /// Chunks of 50 messages of 60,000 bytes each, and the end of none.
    private static func beginnings(_ rounds: Int) -> [UInt8] {
        let piece = [UInt8](repeating: 7, count: 128)
        var bytes: [UInt8] = []
        for id in UInt8(4)..<54 { bytes += [id, 0, 0, 0, 0, 0xEA, 0x60, 18, 1, 0, 0, 0] + piece }
        for _ in 0..<rounds {
            for id in UInt8(4)..<54 { bytes += [0xC0 | id] + piece }
        }
        return bytes
    }
}
