import HelioCore
import HelioSession

/// A TCP connection: in order and complete; a segment sent while the network is down is retransmitted, each time after
/// twice the delay.
final class NetworkConnection {
    private static let firstRepetition = Duration.milliseconds(200)

    let id: ConnectionID
    let viewer: RoamingViewer
    /// The viewer's address when it connected.
    let address: UInt64
    private var ways = [Way(), Way()]

    private struct Way {
        var waiting: [NetworkWorld.Segment] = []
        var arrives = Instant.zero
    }

    init(_ id: ConnectionID, _ viewer: RoamingViewer, address: UInt64) {
        self.id = id
        self.viewer = viewer
        self.address = address
    }

    func send(_ segment: NetworkWorld.Segment, toHost: Bool, _ world: NetworkWorld) {
        let way = toHost ? 1 : 0
        guard ways[way].waiting.isEmpty, viewer.conditions.isUp, isReachable else {
            ways[way].waiting.append(segment)
            if ways[way].waiting.count == 1 { repeatLater(Self.firstRepetition, way, world) }
            return
        }
        carry(segment, way, world)
    }

    /// True if the connection's address is still the viewer's.
    private var isReachable: Bool { viewer.conditions.address == address }

    private func repeatLater(_ delay: Duration, _ way: Int, _ world: NetworkWorld) {
        world.schedule(after: delay) { [self] world in
            // Retransmissions to an obsolete address are useless.
            guard isReachable else { return }
            guard viewer.conditions.isUp else { return repeatLater(min(delay * 2, .seconds(120)), way, world) }
            let waiting = ways[way].waiting
            ways[way].waiting = []
            for segment in waiting { carry(segment, way, world) }
        }
    }

    private func carry(_ segment: NetworkWorld.Segment, _ way: Int, _ world: NetworkWorld) {
        // Messages are often split.
        if case .bytes(let bytes) = segment, bytes.count > 1, world.random.next() % 4 == 0 {
            let cut = Int(world.random.next() % UInt64(bytes.count))
            carryWhole(.bytes(Array(bytes[..<cut])), way, world)
            return carryWhole(.bytes(Array(bytes[cut...])), way, world)
        }
        carryWhole(segment, way, world)
    }

    private func carryWhole(_ segment: NetworkWorld.Segment, _ way: Int, _ world: NetworkWorld) {
        ways[way].arrives = max(ways[way].arrives, world.now + viewer.conditions.oneWay)
        world.schedule(after: ways[way].arrives - world.now) { [self] world in
            world.arrived(segment, on: self, atHost: way == 1)
        }
    }
}
