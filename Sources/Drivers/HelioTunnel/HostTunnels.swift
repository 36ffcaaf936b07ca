package import HelioCore
internal import HelioGround
package import HelioLinks
internal import HelioOpenSSL
package import HelioPeerPort
package import HelioProtection
package import HelioRemoteWire
internal import HelioRendezvous
package import HelioRendezvousWire
package import HelioServing
package import NIOCore

/// A host's tunnels to viewers on any network: answers their calls at a rendezvous, and serves the sessions that come
/// by the calls and by ICE. Lives on one event loop, that of its port.
///
/// Before a ringer has proven that it knows a secret it costs little: its calls are limited by address, at once and by
/// time, and only one message of it is opened.
package final class HostTunnels: VirtualRoutes {
    /// The calls by which the tunnels use the host, all made on the loop.
    package struct Host {
        /// The secret of a paired device or of the link with this tag; `nil` if there is none, or no longer.
        package var secret: (RingTag) -> SecretBytes?
        /// Serves a session's connection, as if it was accepted by a listener. The address is the ringer's.
        package var adopt: (_ channel: any Channel, _ path: PathID, _ address: String) -> Void
        /// Takes a viewer's datagram.
        package var received: (_ bytes: [UInt8], _ class: ServedDatagram, _ path: PathID) -> Void
        /// Serves a browser's call, whose first message is `hello`, with the TURN servers that the rendezvous lends for
        /// it; `nil` refuses browsers. The call counts among those at once until `released`.
        package var browser:
            ((_ call: SealedCall, _ hello: SignalingMessage, _ address: String, _ lent: [TURNEntry]) -> Void)?

        /// Wakes the machine with these hardware addresses on this host's network, for the paired device with this tag,
        /// and tells the number of networks on which packets were sent. Returns false if the tag is no paired device's.
        /// `nil` wakes nobody.
        package var wake:
            ((_ addresses: [HardwareAddress], _ tag: RingTag, _ done: @escaping (_ networks: Int) -> Void) -> Bool)?

        package init(
            secret: @escaping (RingTag) -> SecretBytes?,
            adopt: @escaping (_ channel: any Channel, _ path: PathID, _ address: String) -> Void,
            received: @escaping (_ bytes: [UInt8], _ class: ServedDatagram, _ path: PathID) -> Void
        ) {
            self.secret = secret
            self.adopt = adopt
            self.received = received
        }
    }

    private final class Entry {
        let call: SealedCall
        let tag: RingTag
        let address: String
        let path: PathID
        var lent: [TURNEntry] = []
        /// The addresses of the machine that the ringer wants to be woken, until it has repeated that.
        var wanted: [HardwareAddress]?
        var limit: Scheduled<Void>?
        var core: TunnelCore?

        init(_ call: SealedCall, _ tag: RingTag, _ address: String, _ path: PathID) {
            self.call = call
            self.tag = tag
            self.address = address
            self.path = path
        }
    }

    private let device: RendezvousID
    private let port: PeerPort?
    private let certificates: any DTLSProvider
    private let settings: TunnelSettings
    private let loop: any EventLoop
    private let host: Host
    private var entries: [PathID: Entry] = [:]
    private var lastNumber: UInt64 = 0
    private var rings: RingLimit
    /// The limit of the machines that each device may have woken, by its tag.
    private var wakes: RingLimit
    private var replays = ReplayGuard()
    private var drops = DropCounter<TunnelDrop>()
    private var isClosed = false

    /// Called on the loop with each event of a tunnel.
    package var onEvent: ((PathID, TunnelEvent) -> Void)?
    /// Called on the loop each time that the last call has ended.
    package var onIdle: (() -> Void)?

    /// - Parameters:
    ///   - device: this host's name at the rendezvous.
    ///   - port: where ICE has its sockets, on `loop`; `nil` if the calls are to carry everything.
    ///   - certificates: this machine's DTLS certificate; any will do, as the call authenticates its fingerprint.
    package init(
        _ device: RendezvousID, port: PeerPort?, certificates: any DTLSProvider, settings: TunnelSettings,
        host: Host, on loop: any EventLoop
    ) {
        self.device = device
        self.port = port
        self.certificates = certificates
        self.settings = settings
        self.host = host
        self.loop = loop
        rings = RingLimit(most: settings.callsPerMinute)
        wakes = RingLimit(most: settings.wakesPerMinute)
    }

    /// The number of calls at present, browsers' included.
    package var count: Int { entries.count }
    /// The number of requests for which packets were sent to wake another machine.
    package private(set) var woken = 0
    /// Counts of drops by name, those of the links not included.
    package var allDrops: [String: Int] {
        .sum(drops, entries.values.compactMap { $0.core?.drops }.allDrops)
    }

    /// The links' statistics of the tunnel with this path.
    package func statistics(of path: PathID) -> LinkBundleStatistics? { entries[path]?.core?.statistics }

    // MARK: Calls

    /// Takes a call. Called on the loop, before any event of the call but the TURN servers, which are handed in.
    package func rung(_ carrier: any CallCarrier, tag: RingTag, address: String, turn: [TURNEntry]) {
        loop.preconditionInEventLoop()
        func refuse(_ drop: TunnelDrop, _ reason: HangUpReason) {
            drops.count(drop)
            carrier.hangUp(reason)
        }
        let ofSecret = entries.values.count { $0.tag == tag }
        let hasRoom = entries.count < settings.mostCalls && ofSecret < settings.mostCallsOfSecret
        guard !isClosed, hasRoom else { return refuse(.tooManyCalls, .tooMany) }
        guard rings.take(address, now: MonotonicClock.now) else { return refuse(.tooFast, .tooFast) }
        guard let secret = host.secret(tag) else { return refuse(.unknownTag, .notPermitted) }
        var random = SecureGenerator()
        guard
            let sealer = try? CallSealer(
                answering: secret, device: device, crypto: OpenSSLCrypto(), random: &random)
        else { return refuse(.violated, .protocolError) }
        lastNumber += 1
        let entry = Entry(SealedCall(carrier, sealer: sealer), tag, address, .virtual(lastNumber))
        entry.lent = turn
        entries[entry.path] = entry
        let path = entry.path
        entry.call.onEvent = { [weak self] in self?.take($0, at: path) }
        awaitRinger(of: entry)
    }

    /// Limits the time until the ringer says something.
    private func awaitRinger(of entry: Entry) {
        let path = entry.path
        let delay = TimeAmount.nanoseconds(settings.firstMessage.nanoseconds)
        entry.limit = loop.assumeIsolated().scheduleTask(in: delay) { [weak self] in self?.end(path, .silentRinger) }
    }

    /// Handles an event of a call that has no owner yet.
    private func take(_ event: SealedCall.Event, at path: PathID) {
        guard let entry = entries[path] else { return }
        switch event {
        case .turn(let servers): entry.lent = servers
        case .message(let message):
            if let wanted = entry.wanted { confirm(wanted, message, of: entry) } else { begin(entry, message) }
        case .hungUp: end(path, nil)
        case .violated: end(path, .violated)
        case .ringing: drops.count(.unexpected)
        case .data: drops.count(.noLinks)
        }
    }

    /// Handles the first message, which proves that the ringer knows the secret, unless it is played again.
    private func begin(_ entry: Entry, _ message: SignalingMessage) {
        guard let nonce = entry.call.ringerNonce, replays.accept(nonce) else { return end(entry.path, .replayed) }
        entry.limit?.cancel()
        rings.giveBack(entry.address)
        switch message {
        case .offer: serve(entry, message)
        case .wake(let addresses):
            // The first message may be an old one, which this host has forgotten, and what it asks for needs no more of
            // the ringer. What it says to this host's nonce can't be.
            entry.wanted = addresses
            awaitRinger(of: entry)
            entry.call.send(.wake(addresses))
        case .hello:
            guard let browser = host.browser else { return end(entry.path, .unexpected) }
            browser(entry.call, message, entry.address, entry.lent)
        default: end(entry.path, .unexpected)
        }
    }

    private func serve(_ entry: Entry, _ offer: SignalingMessage) {
        let (path, address) = (entry.path, entry.address)
        let core = TunnelCore(
            .host, entry.call, port: port, certificates: certificates, settings: settings, on: loop)
        entry.core = core
        core.lent = entry.lent
        core.onDatagram = { [host] purpose, bytes in
            host.received(bytes, purpose == .media ? .media : .control, path)
        }
        core.onEvent = { [weak self] in self?.onEvent?(path, $0) }
        core.onStream = { [host, weak entry] in
            entry?.limit?.cancel()
            host.adopt($0, path, address)
        }
        core.onEnd = { [weak self] end in
            guard let self else { return }
            if case .violated = end { drops.count(.violated) }
            release(path)
        }
        let delay = TimeAmount.nanoseconds(settings.connecting.nanoseconds)
        entry.limit = loop.assumeIsolated().scheduleTask(in: delay) { [weak self, weak core] in
            self?.drops.count(.unconnected)
            core?.finish(.linksLost)
        }
        core.take(offer)
    }

    /// Handles the message that has to repeat a request to wake another machine.
    private func confirm(_ wanted: [HardwareAddress], _ message: SignalingMessage, of entry: Entry) {
        guard case .wake(wanted) = message else { return end(entry.path, .unexpected) }
        entry.wanted = nil
        entry.limit?.cancel()
        wake(wanted, for: entry)
    }

    /// Wakes another machine for a paired device, and ends the call with the answer.
    private func wake(_ addresses: [HardwareAddress], for entry: Entry) {
        let path = entry.path
        func refuse(_ drop: TunnelDrop, _ reason: HangUpReason) {
            drops.count(drop)
            entry.call.hangUp(reason)
            release(path)
        }
        guard let wake = host.wake else { return refuse(.wakeNotPermitted, .notPermitted) }
        guard wakes.take(Hexadecimal.text(entry.tag.bytes), now: MonotonicClock.now) else {
            return refuse(.wakeTooFast, .tooFast)
        }
        let isPermitted = wake(addresses, entry.tag) { [weak self] networks in
            guard let self else { return }
            if networks == 0 { drops.count(.wakeFailed) } else { woken += 1 }
            guard let entry = entries[path] else { return }
            entry.call.send(.woken(networks: networks))
            entry.call.hangUp(.ended)
            release(path)
        }
        if !isPermitted { refuse(.wakeNotPermitted, .notPermitted) }
    }

    /// Frees the place of a browser's call that has ended.
    package func released(_ call: SealedCall) {
        for (path, entry) in entries where entry.call === call { release(path) }
    }

    private func release(_ path: PathID) {
        guard let entry = entries.removeValue(forKey: path) else { return }
        entry.limit?.cancel()
        if let core = entry.core { drops.add(core.drops) }
        if entries.isEmpty { onIdle?() }
    }

    /// Ends a call that has no tunnel yet.
    private func end(_ path: PathID, _ reason: TunnelDrop?) {
        guard let entry = entries[path] else { return }
        if let reason { drops.count(reason) }
        entry.call.hangUp(reason == nil ? .ended : .protocolError)
        release(path)
    }

    // MARK: Datagrams, and the end

    package func send(_ bytes: [UInt8], _ class: ServedDatagram, to path: PathID) {
        guard let core = entries[path]?.core else { return drops.count(.unknownPath) }
        core.send(bytes, `class` == .media ? .media : .control)
    }

    /// Adds a link to a tunnel, which closes it. What it carries is sealed with the tunnel's key, so that another
    /// viewer's link carries nothing.
    package func add(_ link: any TunnelLink, to path: PathID) {
        loop.preconditionInEventLoop()
        guard let core = entries[path]?.core else {
            drops.count(.unknownPath)
            return link.close()
        }
        core.add(link)
    }

    /// Ends one tunnel.
    package func close(_ path: PathID) {
        guard let entry = entries[path] else { return }
        if let core = entry.core { core.close() } else { end(path, nil) }
    }

    /// Ends all calls at once, and takes no more.
    package func close() {
        loop.preconditionInEventLoop()
        isClosed = true
        for entry in Array(entries.values) {
            if let core = entry.core { core.finish(.closed) } else { end(entry.path, nil) }
        }
    }
}
