private import Foundation
package import HelioAdmission
public import HelioCore
private import HelioProtection
internal import HelioServing
internal import HelioSession
private import HelioStores
private import NIOCore
private import NIOPosix

/// Pairs this machine with a host, so that it may watch the host without a link afterwards.
public enum HostPairing {
    /// Pairs with the host at an address, and stores the pairing in `HeliographHome`.
    ///
    /// - Parameters:
    ///   - address: `host` or `host:port`.
    ///   - code: the code that the host was started with, XXXX-XXXX-XXXX-XXXX; `nil` lets the two users compare codes.
    ///   - name: this machine's name, shown at the host; `nil` for the machine's host name.
    ///   - confirm: asks the user at this machine whether the host shows the same six digits. Called at most once, and
    ///     never with a code; its task is cancelled when the answer is no longer needed.
    /// - Returns: the host's name, and whether this machine may drive it.
    ///
    /// Throws `refused` if the host or one of the users declines, `unreachable` if no connection is possible,
    /// `invalidArgument` for a malformed address or code, and `systemFailed` if the pairing can't be stored.
    public static func pair(
        with address: String, code: String? = nil, name: String? = nil,
        confirm: @escaping @Sendable (_ code: String) async -> Bool
    ) async throws(HelioError) -> (host: String, allowsControl: Bool) {
        let (host, port) = try ShareLink.place(of: address)
        let result = try await pair(at: [host], port: port, code, name, confirm)
        return (result.grant.hostName, result.grant.allowsControl)
    }

    /// Returns the address in a host's link, `host` or `host:port`, without the secret. Throws `invalidArgument` if the
    /// link is malformed.
    public static func address(in link: String) throws(HelioError) -> String {
        let (host, port) = try ShareLink.place(of: link)
        return port == ShareLink.defaultPort ? host : Authority.text(host, port: port)
    }

    /// True for the URL of a host's web page that does not contain the port for Heliograph's own viewers. The default
    /// port is tried then; it may be wrong.
    public static func isPageAlone(_ text: String) -> Bool { ShareLink.isPageAlone(text) }

    /// Pairs, and stores the pairing with the address at which the host was reached.
    ///
    /// - Parameter link: the link to call the host by its rendezvous server with; `nil` to use the addresses.
    static func pair(
        at addresses: [String], port: UInt16, _ code: String?, _ name: String?, calling link: ShareLink? = nil,
        _ confirm: @escaping @Sendable (_ code: String) async -> Bool
    ) async throws(HelioError) -> PairingClient.Result {
        let method: PairingSession.Method =
            if let code { .code(SecretBytes(try ShareLink.secret(code))) } else { .compare }
        let store = HeliographHome.places.hosts
        // The store is read first, so that an unusable store is reported before the users are asked.
        let earlier = try store.load()
        // A user pairs seldom and at no loop's side, so each pairing has a loop that ends with it.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var call: RendezvousCall?
        var result: PairingClient.Result
        do throws(HelioError) {
            if let link { call = try await RendezvousCall.make(to: link, by: .every, on: group.next()) }
            result = try await PairingClient.pair(
                method, addresses: addresses, port: port, name: name ?? ProcessInfo.processInfo.hostName,
                known: { fingerprint in earlier.last { $0.link.fingerprint == fingerprint }?.known },
                route: call?.route, on: group.next(), confirm: { await confirm("\($0)") })
        } catch {
            await call?.finish()
            try? await group.shutdownGracefully()
            throw error
        }
        await call?.finish()
        try? await group.shutdownGracefully()
        result.grant.rendezvous = result.grant.rendezvous ?? link?.rendezvous
        try store.add(
            result.grant, address: result.address, port: port, fingerprint: result.fingerprint,
            wasReachedThere: link == nil)
        return result
    }

    /// Pairs with a discovered host.
    ///
    /// - Returns: the host's name, whether this machine may drive it, and whether its certificate matches the announced
    ///   fingerprint; `nil` if none was announced. The pairing proves the host's identity; the announcement does not.
    public static func pair(
        with host: DiscoveredHost, code: String? = nil, name: String? = nil,
        confirm: @escaping @Sendable (_ code: String) async -> Bool
    ) async throws(HelioError) -> (host: String, allowsControl: Bool, isAsAnnounced: Bool?) {
        let port = try ShareLink.address(host.address[...]).port
        let result = try await pair(at: host.addresses, port: port, code, name, confirm)
        return (
            result.grant.hostName, result.grant.allowsControl,
            host.fingerprint.map { $0 == Hexadecimal.text(result.fingerprint) }
        )
    }

    /// Makes the link to a discovered host, from a code, or from the pairing with the announced fingerprint or address.
    /// A link from a pairing contains the stored fingerprint, so a host that merely announces it is refused. A link
    /// with a code contains the announced fingerprint, by which the host is recognised among its addresses; knowing the
    /// code proves the host's identity.
    package static func link(for host: DiscoveredHost, code: String?) throws(HelioError) -> ShareLink {
        if code != nil {
            var link = try ShareLink(parsing: host.address, code: code)
            link.otherHosts = Array(host.addresses.dropFirst())
            link.fingerprint = host.fingerprint.flatMap { Hexadecimal.bytes($0) }
            link.isAnnounced = link.fingerprint != nil
            link.name = host.name
            return link
        }
        let known = try HeliographHome.places.hosts.load()
        let announced = known.first { entry in
            host.fingerprint.map { $0 == Hexadecimal.text(entry.link.fingerprint ?? []) } ?? false
        }
        let other = try self.known(at: host.address)
        guard let entry = announced ?? other else {
            throw HelioError(
                .invalidArgument,
                "This machine is not paired with '\(host.name)' at \(host.address).",
                remedy: .pairFirst(host: host.address))
        }
        var link = entry.link
        (link.host, link.port) = try ShareLink.address(host.address[...])
        link.otherHosts = Array(host.addresses.dropFirst())
        link.name = host.name
        return link
    }

    private static func known(at address: String) throws(HelioError) -> KnownHostStore.Entry? {
        let (host, port) = try ShareLink.address(address[...])
        return try HeliographHome.places.hosts.load().first {
            $0.link.host == host && $0.link.port == port
        }
    }

    /// Makes the link to a host that the user names: by a link, by an address with a code, by the address or name of a
    /// paired host, or by its name with its rendezvous server (`namesRendezvous`).
    package static func link(for text: String, code: String?) throws(HelioError) -> ShareLink {
        if namesRendezvous(text) {
            guard code == nil else {
                throw HelioError(
                    .invalidArgument, "A code belongs to an address: a paired host needs none.", remedy: .leaveOutCode)
            }
            return try linkByRendezvous(text)
        }
        if code != nil || text.contains("#") || text.contains("://") { return try ShareLink(parsing: text, code: code) }
        let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let known = try HeliographHome.places.hosts.load()
        let exact = known.filter { $0.name == trimmed }
        let named = exact.isEmpty ? known.filter { $0.name.lowercased() == trimmed.lowercased() } : exact
        // Newer pairings come later in the list.
        if let entry = named.last, Set(named.map(\.link.fingerprint)).count == 1 { return entry.namedLink }
        let (host, port) = try ShareLink.address(trimmed[...])
        if let entry = known.first(where: { $0.link.host == host && $0.link.port == port }) { return entry.namedLink }
        throw HelioError(
            .invalidArgument, "This machine is not paired with \(trimmed).", remedy: .pairFirst(host: trimmed))
    }
}

extension KnownHostStore.Entry {
    /// The link, with the name that the host gave at the time of pairing.
    fileprivate var namedLink: ShareLink {
        var link = link
        link.name = name
        return link
    }

    /// The device number and secret by which the host recognises this machine when it pairs again.
    fileprivate var known: PairingRenewal.Known? {
        link.device.map { PairingRenewal.Known(device: $0, secret: SecretBytes(link.secret)) }
    }
}
