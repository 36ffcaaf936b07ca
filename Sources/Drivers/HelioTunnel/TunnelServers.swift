internal import HelioCore
internal import HelioPeer
internal import HelioPeerPort
internal import HelioRendezvousWire
internal import NIOCore

/// The resolution of a tunnel's STUN and TURN servers: its own, and those that the rendezvous lends. Lives on one event
/// loop.
final class TunnelServers {
    private let settings: TunnelSettings
    private let entries: [ICEServerList.Entry]
    private let loop: any EventLoop
    private var limit: Scheduled<Void>?
    private var then: ((PeerConnectionConfiguration, Int) -> Void)?

    /// - Parameter isNear: true if the servers that are lent may be on this machine or its networks, as the rendezvous
    ///   is. A rendezvous on the Internet could have packets sent to machines there that it does not reach itself.
    init(_ settings: TunnelSettings, lent: [TURNEntry], isNear: Bool, on loop: any EventLoop) {
        self.settings = settings
        self.loop = loop
        entries =
            settings.iceServers.map { ICEServerList.Entry(url: $0.url, username: $0.username, password: $0.password) }
            + lent.map {
                var entry = ICEServerList.Entry(url: $0.url, username: $0.username, password: $0.credential)
                entry.mustBePublic = !isNear
                return entry
            }
    }

    /// Calls `then` once, on the loop, with the servers resolved within the time, and the number of malformed ones.
    func resolve(within time: Duration, then: @escaping (PeerConnectionConfiguration, Int) -> Void) {
        var bare = PeerConnectionConfiguration()
        bare.usesRelaysOnly = settings.usesRelaysOnly
        let usable = entries.filter { (try? ICEServerList([$0])) != nil }
        let malformed = entries.count - usable.count
        guard !usable.isEmpty, let list = try? ICEServerList(usable) else { return then(bare, malformed) }
        self.then = then
        let bound = NIOLoopBound(self, eventLoop: loop)
        let loop = loop
        Task { [bare] in
            var full = bare
            _ = await list.add(to: &full)
            loop.execute { [full] in bound.value.resolved(full, malformed) }
        }
        limit = loop.assumeIsolated().scheduleTask(in: .nanoseconds(time.nanoseconds)) { [weak self, bare] in
            self?.resolved(bare, malformed)
        }
    }

    func cancel() {
        limit?.cancel()
        then = nil
    }

    private func resolved(_ configuration: PeerConnectionConfiguration, _ malformed: Int) {
        limit?.cancel()
        let then = then
        self.then = nil
        then?(configuration, malformed)
    }
}
