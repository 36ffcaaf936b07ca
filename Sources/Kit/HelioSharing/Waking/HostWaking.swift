package import HelioAdmission
public import HelioCore
private import HelioLoop
private import HelioStores

/// Wakes paired hosts that sleep, by Wake-on-LAN: with packets on this machine's networks, and by the other paired
/// hosts that are online at a rendezvous server, which send them on theirs. No machine acknowledges a packet.
public enum HostWaking {
    /// The course of an attempt to wake a host.
    public struct Report: Sendable {
        /// The host's name.
        public let host: String
        /// The hardware addresses of the host's network interfaces.
        public let addresses: [String]
        /// The number of this machine's networks on which packets were sent.
        public let networks: Int
        /// The other paired hosts that were asked.
        public let helpers: [Helper]
    }

    /// A paired host that was asked to wake another one.
    public struct Helper: Sendable {
        /// The name of the host that was asked.
        public let name: String
        /// The reason why it has sent no packets; `nil` if it has.
        public let failure: HelioError?
    }

    /// The settings of the machine that is to be woken, as a sentence for the user.
    package static let advice =
        "Wake-on-LAN has to be on at that machine: in its BIOS or UEFI, and on Linux with 'ethtool -s IFACE wol g'."

    /// Wakes a paired host.
    ///
    /// - Parameters:
    ///   - text: the host's name, its address, or its name with its rendezvous server.
    ///   - limit: the longest time that other hosts have to answer.
    ///
    /// Throws `invalidArgument` if the host is not paired with this machine or its hardware address is not known, and
    /// `unreachable` if neither this machine nor another host could send packets.
    public static func wake(
        _ text: String, within limit: Duration = .seconds(6)
    ) async throws(HelioError) -> Report {
        let link = try HostPairing.link(for: text, code: nil)
        guard link.device != nil else {
            throw HelioError(
                .invalidArgument, "Only paired hosts can be woken: give the name of one.", remedy: .listDevices)
        }
        let known = try HeliographHome.places.hosts.load()
        guard let entry = known.last(where: { $0.link.fingerprint == link.fingerprint }) else {
            throw HelioError(.invalidArgument, "This machine is not paired with that host.", remedy: .listDevices)
        }
        guard let addresses = entry.wake else {
            throw HelioError(
                .invalidArgument,
                "The hardware address of \(entry.name) is not known: a host tells it to this machine with a pairing or "
                    + "a session by a version that can be woken, if it has a network card. Watch it once while it is "
                    + "on. \(advice)")
        }
        return try await wake(entry, addresses, among: known, within: limit)
    }

    /// True if a link belongs to a pairing with a host whose hardware addresses are known.
    package static func canWake(_ link: ShareLink) -> Bool {
        guard link.device != nil, let fingerprint = link.fingerprint else { return false }
        let known = (try? HeliographHome.places.hosts.load()) ?? []
        return known.contains { $0.link.fingerprint == fingerprint && $0.wake != nil }
    }

    /// Wakes the host of a link. Returns false if no packets could be sent.
    package static func wake(_ link: ShareLink, within limit: Duration = .seconds(6)) async -> Bool {
        guard let known = try? HeliographHome.places.hosts.load(),
            let entry = known.last(where: { $0.link.fingerprint == link.fingerprint }), let addresses = entry.wake
        else { return false }
        return (try? await wake(entry, addresses, among: known, within: limit)) != nil
    }

    private static func wake(
        _ entry: KnownHostStore.Entry, _ addresses: WakeAddresses, among known: [KnownHostStore.Entry],
        within limit: Duration
    ) async throws(HelioError) -> Report {
        let others = known.filter { $0.link.fingerprint != entry.link.fingerprint }
        async let sending = send(addresses)
        async let asking = WakeHelpers.ask(others, toWake: addresses, within: limit)
        let (sent, helpers) = await (sending, asking)
        if case .failure(let error) = sent, !helpers.contains(where: { $0.failure == nil }) {
            let rest =
                helpers.isEmpty
                ? " No other paired host is reached by a rendezvous server, to send it from its own network."
                : " No other paired host could send it either."
            throw HelioError(error.code, error.message + rest, cause: error)
        }
        return Report(
            host: entry.name, addresses: addresses.all.map(\.description), networks: (try? sent.get()) ?? 0,
            helpers: helpers)
    }

    private static func send(_ addresses: WakeAddresses) async -> Result<Int, HelioError> {
        do throws(HelioError) {
            return .success(try await WakeSender().wake(addresses.all))
        } catch {
            return .failure(error)
        }
    }
}
