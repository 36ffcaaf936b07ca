private import HelioAdmission
internal import HelioCore
private import HelioOpenSSL
private import HelioProtection
private import HelioRendezvous
private import HelioRendezvousPort
private import HelioRendezvousWire
private import HelioStores
private import NIOCore
private import NIOPosix

/// The whereabouts of the paired hosts: on this network, at their rendezvous servers, or away.
public struct HostWhereabouts: Sendable {
    /// The place of a host.
    public enum Place: Sendable, Hashable {
        /// A host with this one's key announces itself on this network, at this address. Connecting proves it.
        case here(address: String)
        /// The host is connected to its rendezvous server.
        case online
        /// The host was last connected to its rendezvous server this long ago.
        case away(Duration)
        /// The host is not announced here, and no rendezvous server has told of it in time.
        case unknown
    }

    private let places: [String: Place]

    /// Returns the place of a paired host.
    public func place(of host: DeviceBook.Host) -> Place { places[host.fingerprint] ?? .unknown }

    /// Looks for all paired hosts on this network, and asks their rendezvous servers. Throws `systemFailed` if the list
    /// of hosts can't be used.
    ///
    /// - Parameter limit: the longest time that this takes.
    public static func find(within limit: Duration = .milliseconds(1500)) async throws(HelioError) -> HostWhereabouts {
        let known = try HeliographHome.places.hosts.load()
        if known.isEmpty { return HostWhereabouts(places: [:]) }
        async let near = announced(known, within: limit)
        var places = await asked(known, within: limit)
        for (fingerprint, place) in await near { places[fingerprint] = place }
        return HostWhereabouts(places: places)
    }

    private static func fingerprint(_ entry: KnownHostStore.Entry) -> String {
        Hexadecimal.text(entry.link.fingerprint ?? [])
    }

    // MARK: This network

    private static func announced(_ known: [KnownHostStore.Entry], within limit: Duration) async -> [String: Place] {
        let wanted = Set(known.map(fingerprint))
        return await withTaskGroup(of: [String: Place]?.self) { group in
            group.addTask {
                var found: [String: Place] = [:]
                for await snapshot in HostBrowser() {
                    for host in snapshot.hosts {
                        guard let print = host.fingerprint, wanted.contains(print) else { continue }
                        found[print] = .here(address: host.address)
                    }
                    if snapshot.isSettled || found.count == wanted.count { break }
                }
                return found
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            var found: [String: Place] = [:]
            while let next = await group.next() {
                if let next { found = next }
                group.cancelAll()
            }
            return found
        }
    }

    // MARK: Rendezvous servers

    private static func asked(_ known: [KnownHostStore.Entry], within limit: Duration) async -> [String: Place] {
        let reached = Dictionary(grouping: known.filter { $0.link.rendezvous != nil }) {
            $0.link.rendezvous?.server ?? ""
        }
        if reached.isEmpty { return [:] }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let places = await withTaskGroup(of: [String: Place].self) { tasks in
            for (server, hosts) in reached {
                tasks.addTask { await ask(server, of: hosts, within: limit, on: group.next()) }
            }
            return await tasks.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        }
        try? await group.shutdownGracefully()
        return places
    }

    private static func ask(
        _ server: String, of hosts: [KnownHostStore.Entry], within limit: Duration, on loop: any EventLoop
    ) async -> [String: Place] {
        guard let place = try? RendezvousPlace(parsing: server) else { return [:] }
        var wanted: [RendezvousID: RingToken] = [:]
        for host in hosts.prefix(RendezvousLimits.watches) {
            guard let device = host.link.rendezvous?.device else { continue }
            wanted[device] = try? CallKeys.token(
                of: SecretBytes(host.link.secret), for: device, OpenSSLCrypto())
        }
        let answers = try? await loop.flatSubmit { [wanted] in
            PresenceQuestion(wanted, at: place, on: loop).ask(within: limit)
        }.get()
        var places: [String: Place] = [:]
        for host in hosts {
            guard let device = host.link.rendezvous?.device, let answer = answers?[device] else { continue }
            places[fingerprint(host)] = answer
        }
        return places
    }
}

/// A question to a rendezvous server, whether some devices are online. Lives on one event loop, until it is answered.
private final class PresenceQuestion {
    typealias Answers = [RendezvousID: HostWhereabouts.Place]

    private let wanted: [RendezvousID: RingToken]
    private let place: RendezvousPlace
    private let loop: any EventLoop
    private let promise: EventLoopPromise<Answers>
    private var connection: RendezvousConnection?
    private var answers: Answers = [:]
    private var isOver = false

    init(_ wanted: [RendezvousID: RingToken], at place: RendezvousPlace, on loop: any EventLoop) {
        self.wanted = wanted
        self.place = place
        self.loop = loop
        promise = loop.makePromise()
    }

    /// Asks; the result has the answers that came in time.
    func ask(within limit: Duration) -> EventLoopFuture<Answers> {
        let connection = RendezvousConnection(place, signer: nil, on: loop, onEvent: { [self] in take($0) })
        self.connection = connection
        connection.start()
        for (device, token) in wanted { connection.feed(.watch(device, token)) }
        loop.assumeIsolated().scheduleTask(in: .nanoseconds(limit.nanoseconds)) { [self] in end() }
        return promise.futureResult
    }

    private func take(_ event: RendezvousClient.Event) {
        guard case .presence(let device, let state, let time) = event else { return }
        switch state {
        case .online: answers[device] = .online
        case .offline: answers[device] = .away(time)
        case .unknown: answers[device] = .unknown
        }
        guard answers.count == wanted.count else { return }
        // The connection handles its own event now.
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.execute { bound.value.end() }
    }

    private func end() {
        if isOver { return }
        isOver = true
        connection?.stop()
        connection = nil
        promise.succeed(answers)
    }
}
