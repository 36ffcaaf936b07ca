package import HelioCore

/// The state of Bonjour browsing: combines the results of browsing, resolving and address look-ups, and decides which
/// services to resolve and which events to report. It makes no system calls, and limits the number of services, as
/// anybody on the network can announce some.
package struct BonjourSightings: Sendable {
    /// A service on one interface, as browsing reports it. The addresses of both families are looked up later.
    package struct Service: Hashable, Sendable {
        package var name: String
        package var domain: String
        package var interface: Int32

        package init(name: String, domain: String, interface: Int32) {
            self.name = name
            self.domain = domain
            self.interface = interface
        }
    }

    private struct Entry {
        var isLocal: Bool
        var machine: String?
        var port: UInt16 = 0
        var text: [UInt8] = []
        var zone: String?
        /// The best address of each family.
        var addresses: [AddressFamily: IPAddress] = [:]
        var hasFailed = false
    }

    /// The maximum number of services that are resolved at once.
    package static let mostServices = 512

    private var entries: [Service: Entry] = [:]
    private var hasBrowsed = false
    private var isSettled = false

    package init() {}

    /// Replaces the set of services that browsing sees, and drops the services that have disappeared.
    ///
    /// - Parameter services: all services that are currently announced; the value is true for a service on this
    ///   machine.
    /// - Returns: the services to resolve, the services to stop resolving, and the events to report.
    package mutating func browse(
        _ services: [Service: Bool]
    ) -> (resolve: [Service], forget: [Service], events: [BrowsingEvent]) {
        hasBrowsed = true
        var events: [BrowsingEvent] = []
        let gone = entries.keys.filter { services[$0] == nil }
        for service in gone {
            let entry = entries.removeValue(forKey: service)
            events += (entry?.addresses.keys.map { .gone(Self.place(service, $0)) } ?? [])
        }
        var new: [Service] = []
        for (service, isLocal) in services where entries[service] == nil {
            guard entries.count < Self.mostServices else {
                events.append(.dropped(.tooManyServices))
                continue
            }
            entries[service] = Entry(isLocal: isLocal)
            new.append(service)
        }
        return (new, gone, events + settle())
    }

    /// Handles a service's resolved location. May be called again with another machine, port or text.
    ///
    /// - Parameter zone: the interface's name, for link-local addresses.
    /// - Returns: true if the machine's addresses must be looked up, and the events to report.
    package mutating func resolved(
        _ service: Service, machine: String, port: UInt16, text: [UInt8], zone: String?
    ) -> (lookUp: Bool, events: [BrowsingEvent]) {
        guard var entry = entries[service] else { return (false, []) }
        let isOther = entry.machine != machine
        var events: [BrowsingEvent] = []
        if isOther {
            events = entry.addresses.keys.map { .gone(Self.place(service, $0)) }
            entry.addresses = [:]
        }
        (entry.machine, entry.port, entry.text, entry.zone, entry.hasFailed) = (machine, port, text, zone, false)
        entries[service] = entry
        return (isOther, events + entry.addresses.keys.flatMap { report(service, $0) })
    }

    /// Adds an address of a service's machine, or removes the address if `isThere` is false.
    package mutating func address(_ ip: IPAddress, of service: Service, isThere: Bool) -> [BrowsingEvent] {
        guard let entry = entries[service], entry.machine != nil else { return [] }
        guard isThere else {
            guard entry.addresses[ip.family] == ip else { return [] }
            entries[service]?.addresses[ip.family] = nil
            return [.gone(Self.place(service, ip.family))]
        }
        // An address is replaced only if it is link-local and the new one is not.
        if let old = entry.addresses[ip.family], !old.isLinkLocal || ip.isLinkLocal { return [] }
        entries[service]?.addresses[ip.family] = ip
        return report(service, ip.family) + settle()
    }

    /// Counts a service as failed: it can't be resolved, or its machine has no address.
    package mutating func failed(_ service: Service) -> [BrowsingEvent] {
        guard let entry = entries[service], !entry.hasFailed else { return [] }
        entries[service]?.hasFailed = true
        return [.dropped(.unresolved)] + settle()
    }

    /// Clears all state, when browsing fails.
    ///
    /// - Returns: the services to stop resolving.
    package mutating func forget() -> [Service] {
        defer { self = BonjourSightings() }
        return Array(entries.keys)
    }

    private func report(_ service: Service, _ family: AddressFamily) -> [BrowsingEvent] {
        guard let entry = entries[service], let machine = entry.machine, let ip = entry.addresses[family] else {
            return []
        }
        let details = ServiceDetails(
            machine: machine, ip: ip, zone: ip.isLinkLocal ? entry.zone : nil, port: entry.port, text: entry.text,
            isLocal: entry.isLocal)
        return [.found(Self.place(service, family), details)]
    }

    /// Reports `settled` once, when every service of the initial listing has an address or has failed to resolve.
    private mutating func settle() -> [BrowsingEvent] {
        guard !isSettled, hasBrowsed, entries.values.allSatisfy({ $0.hasFailed || !$0.addresses.isEmpty }) else {
            return []
        }
        isSettled = true
        return [.settled]
    }

    private static func place(_ service: Service, _ family: AddressFamily) -> ServicePlace {
        ServicePlace(name: service.name, domain: service.domain, interface: service.interface, family: family)
    }
}
