import HelioCore
import HelioRTMP
import HelioSimulation
import Testing

@testable import HelioBroadcast

/// The memory held for a server is bounded, whatever it sends: SECURITY.md, "Broadcasting".
struct RTMPMemoryTests {
    /// 16 MiB of queued stream, a picture being sent, and everything else.
    private static let most = 20 << 20
    /// Without queued stream, the memory is bounded by the longest message from a server.
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
        // More than twice the bound was queued, and a large part of it is held.
        #expect(Int(number) * 200_000 > 2 * Self.most)
        #expect(highest > 4 << 20, "\(highest)")
    }

    private final class Box {
        var server: ScriptedServer?
    }

    /// Messages within the size limit are kept; beyond it the connection is closed, each time.
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

    /// The first chunks of 50 messages of 60,000 bytes each, none of them complete.
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
