package import HelioCore
private import HelioMDNS

/// The list of hosts on the local networks, built from browsing events. Uses no clock, threads or sockets.
///
/// All input comes from unknown machines, so this type validates, cleans and limits it.
package struct HostDirectory: Sendable {
    package static let maximumHosts = 256
    package static let maximumAddresses = 16

    private struct Sighting {
        var details: ServiceDetails
        var host: FoundHost.ID
    }

    private var sightings: [ServicePlace: Sighting] = [:]
    private var found: [FoundHost.ID: FoundHost] = [:]

    package private(set) var drops = DropCounter<DiscoveryDrop>()
    /// The reason why browsing is not possible at present; `nil` while it works.
    package private(set) var obstacle: DiscoveryObstacle?
    /// True once all hosts that were announced when browsing began are in the list, or browsing is not possible.
    package private(set) var isSettled = false

    package init() {}

    /// The hosts, sorted by name.
    package var hosts: [FoundHost] {
        found.values.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
    }

    package mutating func take(_ event: BrowsingEvent) {
        switch event {
        case .available:
            obstacle = nil
            isSettled = false
            forget()
        case .unavailable(let why):
            obstacle = why
            isSettled = true
            forget()
        case .found(let place, let details): take(place, details)
        case .gone(let place): remove(place)
        case .settled: isSettled = true
        case .dropped(let reason): drops.count(reason)
        }
    }

    private mutating func forget() {
        sightings = [:]
        found = [:]
    }

    private mutating func take(_ place: ServicePlace, _ details: ServiceDetails) {
        guard let description = description(details) else { return remove(place) }
        let name = DeviceName.clean(place.name, fallback: "")
        guard !name.isEmpty else {
            drops.count(.unreadableName)
            return remove(place)
        }
        let id = FoundHost.ID(
            service: place.name, machine: details.machine, fingerprint: Hexadecimal.text(description.fingerprint ?? []))
        if let old = sightings[place], old.host != id { remove(place) }
        if found[id] == nil {
            guard found.count < Self.maximumHosts else { return drops.count(.tooManyHosts) }
        } else if sightings[place] == nil, places(of: id).count >= Self.maximumAddresses {
            return drops.count(.tooManyAddresses)
        }
        sightings[place] = Sighting(details: details, host: id)
        found[id] = FoundHost(
            id: id, name: name,
            ownName: description.name.map { DeviceName.clean($0, fallback: "") }.flatMap { $0.isEmpty ? nil : $0 },
            addresses: addresses(of: id), port: details.port, description: description, isLocal: details.isLocal)
    }

    private mutating func remove(_ place: ServicePlace) {
        guard let old = sightings.removeValue(forKey: place) else { return }
        let left = addresses(of: old.host)
        if left.isEmpty { found[old.host] = nil } else { found[old.host]?.addresses = left }
    }

    /// Reads the description in a service's details; `nil`, counted as a drop, for port 0, an address that can't be
    /// another machine's, a malformed TXT record or an unknown version.
    private mutating func description(_ details: ServiceDetails) -> HostDescription? {
        guard details.port > 0 else {
            drops.count(.uselessPort)
            return nil
        }
        // A remote host that announces a loopback address would lead a viewer to a service on the viewer's own machine.
        guard !details.ip.isUnspecified, !details.ip.isMulticast, details.isLocal || !details.ip.isLoopback else {
            drops.count(.uselessAddress)
            return nil
        }
        guard let record = TextRecord(parsing: details.text.span.bytes) else {
            drops.count(.malformedText)
            return nil
        }
        var malformed = 0
        let description = HostDescription(record, malformed: &malformed)
        if malformed > 0 { drops.count(.malformedField, malformed) }
        if description == nil { drops.count(.unknownVersion) }
        return description
    }

    private func places(of host: FoundHost.ID) -> [ServicePlace] {
        sightings.filter { $0.value.host == host }.map(\.key)
    }

    /// The host's addresses: IPv4 before IPv6, then link-local addresses, then loopback addresses.
    private func addresses(of host: FoundHost.ID) -> [FoundHost.Address] {
        let all = sightings.values.filter { $0.host == host }.map {
            FoundHost.Address($0.details.ip, zone: $0.details.ip.isLinkLocal ? $0.details.zone : nil)
        }
        return Set(all).sorted { ($0.rank, "\($0)") < ($1.rank, "\($1)") }
    }
}

extension FoundHost.Address {
    fileprivate var rank: Int {
        (ip.isLoopback ? 4 : 0) + (ip.isLinkLocal ? 2 : 0) + (ip.family == .ipv6 ? 1 : 0)
    }
}

extension IPAddress {
    /// True for 224.0.0.0/4, 255.255.255.255 or ff00::/8.
    fileprivate var isMulticast: Bool {
        switch self {
        case .v4(let bits): bits >> 28 == 0xE || bits == .max
        case .v6(let high, _): high >> 56 == 0xFF
        }
    }
}
