import Foundation
import HelioCore
import HelioGround
import HelioLinks
import HelioServing
import HelioTestLanes
import HelioTunnel
import NIOCore
import Testing

@Suite("A narrow link beside a tunnel's others", .tags(.quiet))
struct NarrowLinkTests {
    private static let narrow = LinkID(3)
    private static let wide = LinkID(4)
    private static let control: [UInt8] = [255, 7]

    /// Two ends whose call was lost, so that everything goes by a narrow link.
    private func world() async throws -> TunnelWorld {
        let world = try await TunnelWorld()
        try await world.open()
        try await world.waitUntilOpen()
        try await world.lay(StandInLink.narrow)
        try await world.wait(until: { $0.bothLinks.allSatisfy { $0?.links[Self.narrow]?.state == .up } })
        try await world.on { $0.call?.cut() }
        try await world.wait(until: { $0.uses(Self.narrow) })
        return world
    }

    private func end(_ world: TunnelWorld) async throws {
        try await world.closeSession()
        #expect(try await world.waitForEnd().code == .ended)
        try await world.wait(until: { $0.host.count == 0 })
        try await world.stop()
    }

    /// Sends media of `count` kilobytes at once, and control right behind it.
    private func sendPicture(_ world: TunnelWorld, _ count: UInt8) async throws {
        try await world.on { world in
            for number in 0..<count { world.viewer?.send([number] + [UInt8](repeating: 1, count: 999), .media) }
            world.viewer?.send(Self.control, .control)
        }
    }

    /// Waits until `count` datagrams of the picture, and the control behind it, have come back; returns the order.
    private func order(_ world: TunnelWorld, _ count: Int) async throws -> [UInt8] {
        var order: [UInt8] = []
        while order.count <= count || !order.contains(255) {
            order.append(
                try await world.wait { happening in
                    guard case .datagram(let bytes, _) = happening, bytes.count == 1000 || bytes == Self.control else {
                        return nil
                    }
                    return bytes.first
                })
        }
        return order
    }

    @Test(
        "it alone carries stream, control and a small picture, at its width and control first", .timeLimit(.minutes(1)))
    func alone() async throws {
        let world = try await world()
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
        try await world.write(bytes)
        #expect(try await world.bytes(bytes.count) == bytes)
        try await world.expectReturn(of: [1, 2, 3], .control)
        try await world.expectReturn(of: [4, 5, 6], .media)

        let start = MonotonicClock.now
        try await sendPicture(world, 60)
        let order = try await order(world, 10)
        // Ten datagrams of 1,001 bytes, of which none is early.
        #expect(MonotonicClock.now - start >= .milliseconds(80))
        // Datagrams of the burst were under way when the control was sent.
        #expect(order.firstIndex(of: 255).map { $0 <= 8 } == true, "\(order)")
        let media = order.filter { $0 != 255 }
        #expect(media == media.sorted(), "\(order)")
        let drops = try await world.on { $0.viewer?.statistics?.drops ?? [:] }
        #expect(drops["media-beyond-width", default: 0] > 20 && drops["control-beyond-width"] == nil)
        try await end(world)
    }

    @Test("media moves to a wide link that comes, and back when that is gone", .timeLimit(.minutes(1)))
    func widens() async throws {
        let world = try await world()
        try await world.lay(LinkTraits(kind: .direct))
        try await world.wait(until: { $0.uses(Self.wide) })
        try await sendPicture(world, 60)
        let order = try await order(world, 60)
        #expect(order.count == 61)

        try await world.on { $0.cutLink(1) }
        try await world.wait(until: { $0.uses(Self.narrow) })
        try await world.expectReturn(of: [7, 8, 9], .control)
        try await end(world)
    }

    @Test("a link of another viewer carries nothing of a session, and ends nothing", .timeLimit(.minutes(1)))
    func strangers() async throws {
        let world = try await world()
        try await world.wait(until: { $0.host.statistics(of: .virtual(1)) != nil })
        let junk = try await world.layToHost()
        try await world.on { _ in
            for number in 0..<50 {
                for type: UInt8 in [0xC2, 0xC3] {
                    junk.value?.send([type] + [UInt8](repeating: UInt8(number), count: 30 + number))
                }
            }
        }
        try await world.wait(until: { $0.bothLinks[1]?.drops["authentication-failed"] == 100 })
        #expect(try await world.on { $0.bothLinks[1]?.media } == Self.narrow)
        try await world.expectReturn(of: [1, 2, 3], .control)
        try await world.on { _ in junk.value?.close() }
        try await end(world)
    }

    @Test("more links than there may be are refused, and closed", .timeLimit(.minutes(1)))
    func tooMany() async throws {
        let world = try await world()
        for _ in 0..<5 { _ = try await world.layToHost() }
        try await world.wait(until: { $0.host.allDrops["refused-link"] == 2 })
        try await end(world)
    }
}
