private import Foundation
internal import HelioAdmission
public import HelioCore
private import HelioProtection
private import HelioServing
internal import HelioSession
private import HelioStores
private import NIOCore
private import NIOPosix

/// Pairs this machine with a host, so that it may watch that host without a link from then on.
public enum HostPairing {
    /// Pairs with the host at an address, and stores the pairing in `HeliographHome`.
    ///
    /// - Parameters:
    ///   - address: `host` or `host:port`.
    ///   - code: the code that the host was started with, XXXX-XXXX-XXXX-XXXX; `nil` lets people compare codes.
    ///   - name: this machine's name for the host to show; `nil` takes its host name.
    ///   - confirm: asks the person here whether the host shows the same six digits. Called once at most, and not with
    ///     a code; its task is cancelled when nobody waits for the answer any more.
    /// - Returns: the host's name, and whether this machine may drive it.
    ///
    /// Throws `refused` where the host or either person says no, `unreachable`, `invalidArgument` or `systemFailed`.
    public static func pair(
        with address: String, code: String? = nil, name: String? = nil,
        confirm: @escaping @Sendable (_ code: String) async -> Bool
    ) async throws(HelioError) -> (host: String, allowsControl: Bool) {
        let (host, port) = try ShareLink.address(address[...])
        let result = try await pair(at: [host], port: port, code, name, confirm)
        return (result.grant.hostName, result.grant.allowsControl)
    }

    /// Pairs, and stores the pairing with the address that the host was reached at.
    private static func pair(
        at addresses: [String], port: UInt16, _ code: String?, _ name: String?,
        _ confirm: @escaping @Sendable (_ code: String) async -> Bool
    ) async throws(HelioError) -> PairingClient.Result {
        let method: PairingSession.Method =
            if let code { .code(SecretBytes(try ShareLink.secret(code))) } else { .compare }
        let store = HeliographHome.places.hosts
        // A store that can't be used is better known of now.
        let earlier = try store.load()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let result: PairingClient.Result
        do throws(HelioError) {
            result = try await PairingClient.pair(
                method, addresses: addresses, port: port, name: name ?? ProcessInfo.processInfo.hostName,
                known: { fingerprint in earlier.last { $0.link.fingerprint == fingerprint }?.known }, on: group.next(),
                confirm: { await confirm("\($0)") })
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        try? await group.shutdownGracefully()
        try store.add(result.grant, address: result.address, port: port, fingerprint: result.fingerprint)
        return result
    }

    /// Pairs with a host that was found on the network.
    ///
    /// - Returns: the host's name, whether this machine may drive it, and whether its certificate is the one that was
    ///   announced; `nil` where none was. The codes prove the host's identity; the announcement does not.
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

    /// Makes the link to a host that was found on the network, from a code or from the pairing with the fingerprint
    /// that it announces. From a pairing the link has the stored fingerprint: a host that only announces it is refused.
    /// With a code it has the announced fingerprint, to know the host's addresses by; knowing the code proves the
    /// host's identity.
    static func link(for host: DiscoveredHost, code: String?) throws(HelioError) -> ShareLink {
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

    /// Makes the link to the host that a person names: by a link, an address with a code, or the address or name of a
    /// paired host.
    static func link(for text: String, code: String?) throws(HelioError) -> ShareLink {
        if code != nil || text.contains("#") || text.contains("://") { return try ShareLink(parsing: text, code: code) }
        let trimmed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let known = try HeliographHome.places.hosts.load()
        let exact = known.filter { $0.name == trimmed }
        let named = exact.isEmpty ? known.filter { $0.name.lowercased() == trimmed.lowercased() } : exact
        // Newer pairings are behind older ones.
        if let entry = named.last, Set(named.map(\.link.fingerprint)).count == 1 { return entry.namedLink }
        let (host, port) = try ShareLink.address(trimmed[...])
        if let entry = known.first(where: { $0.link.host == host && $0.link.port == port }) { return entry.namedLink }
        throw HelioError(
            .invalidArgument, "This machine is not paired with \(trimmed).", remedy: .pairFirst(host: trimmed))
    }
}

extension KnownHostStore.Entry {
    /// The link, with the name that the host gave when it was paired.
    fileprivate var namedLink: ShareLink {
        var link = link
        link.name = name
        return link
    }

    /// What shows that host which of its devices this machine is.
    fileprivate var known: PairingRenewal.Known? {
        link.device.map { PairingRenewal.Known(device: $0, secret: SecretBytes(link.secret)) }
    }
}
