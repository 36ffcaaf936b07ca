internal import HelioAdmission
internal import HelioCore
private import HelioProtection
private import HelioRendezvousPort
internal import HelioStores
private import HelioTunnel
private import NIOCore
private import NIOPosix

/// Asks paired hosts, by their rendezvous servers, to wake another machine on their own networks.
enum WakeHelpers {
    /// The maximum number of hosts that are asked, those with the newest pairings.
    private static let most = 8

    /// Asks those of the hosts that have a rendezvous server, all at once.
    static func ask(
        _ hosts: [KnownHostStore.Entry], toWake addresses: WakeAddresses, within limit: Duration
    ) async -> [HostWaking.Helper] {
        let reached = hosts.filter { $0.link.device != nil && $0.link.rendezvous != nil }.suffix(most)
        if reached.isEmpty { return [] }
        let servers = Dictionary(grouping: reached) { $0.link.rendezvous?.server ?? "" }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let helpers = await withTaskGroup(of: [HostWaking.Helper].self) { tasks in
            for (server, hosts) in servers {
                tasks.addTask { await ask(hosts, by: server, toWake: addresses, within: limit, on: group.next()) }
            }
            return await tasks.reduce(into: []) { $0 += $1 }
        }
        try? await group.shutdownGracefully()
        return helpers.sorted { $0.name < $1.name }
    }

    private static func ask(
        _ hosts: [KnownHostStore.Entry], by server: String, toWake addresses: WakeAddresses, within limit: Duration,
        on loop: any EventLoop
    ) async -> [HostWaking.Helper] {
        do {
            let place = try RendezvousPlace(parsing: server)
            let failures = try await loop.flatSubmit {
                WakeRound(hosts.map(\.link), at: place, on: loop).ask(toWake: addresses.all, within: limit)
            }.get()
            return zip(hosts, failures).map { HostWaking.Helper(name: $0.name, failure: $1) }
        } catch {
            let failure = error as? HelioError ?? HelioError(.systemFailed, "The network's loop has ended.")
            return hosts.map { HostWaking.Helper(name: $0.name, failure: failure) }
        }
    }
}

/// The calls to some hosts by one rendezvous server. Lives on one event loop, until all are answered.
private final class WakeRound {
    private let links: [ShareLink]
    private let calls = RendezvousCalls()
    private let connection: RendezvousConnection
    private let loop: any EventLoop

    init(_ links: [ShareLink], at place: RendezvousPlace, on loop: any EventLoop) {
        self.links = links
        self.loop = loop
        connection = RendezvousConnection(place, signer: nil, on: loop, onEvent: { [calls] in calls.take($0) })
        calls.feed = { [weak connection] in connection?.feed($0) }
    }

    /// Asks all hosts; the result has the failure of each, `nil` for a host that has sent packets.
    func ask(toWake addresses: [HardwareAddress], within limit: Duration) -> EventLoopFuture<[HelioError?]> {
        connection.start()
        let answers = links.map { link -> EventLoopFuture<Int> in
            guard let device = link.rendezvous?.device else {
                return loop.makeFailedFuture(HelioError(.invalidArgument, "It has no rendezvous server."))
            }
            do {
                let call = try WakeCall(calls.call(), to: device, secret: SecretBytes(link.secret), on: loop)
                return call.ask(for: addresses, within: limit)
            } catch {
                return loop.makeFailedFuture(error)
            }
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        return EventLoopFuture.whenAllComplete(answers, on: loop).map { results in
            // The connection may handle its own event now.
            bound.eventLoop.execute { bound.value.connection.stop() }
            return results.map { bound.value.failure(of: $0) }
        }
    }

    /// The failure of an answer; that of the connection if the server was not reached.
    private func failure(of answer: Result<Int, any Error>) -> HelioError? {
        guard case .failure(let error) = answer else { return nil }
        return connection.failure ?? error as? HelioError
            ?? HelioError(.unreachable, "The host can't be called.", cause: error)
    }
}
