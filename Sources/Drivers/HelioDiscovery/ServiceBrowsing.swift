package import HelioCore

/// Browses for services on the local network until it is stopped. Implemented by Avahi on Linux and by Bonjour on
/// Apple's systems.
///
/// No call waits for the network or for another program.
package protocol ServiceBrowsing: Sendable {
    /// Stops browsing. Events that are already queued may still arrive shortly afterwards.
    func stop()
}

/// An event of browsing, reported in order on a thread of the browser.
package enum BrowsingEvent: Hashable, Sendable {
    /// Browsing begins; no service is known yet.
    case available
    /// Browsing is not possible now, for this reason. All services found so far are forgotten.
    case unavailable(DiscoveryObstacle)
    /// A service was found, or its details have changed.
    case found(ServicePlace, ServiceDetails)
    /// A service has disappeared.
    case gone(ServicePlace)
    /// All services that were announced when browsing began have been reported.
    case settled
    /// An announcement, or one of its fields, was dropped for this reason.
    case dropped(DiscoveryDrop)
}

/// The key of a sighting of a service: its name, network interface and address family. The same service may be seen on
/// several networks.
package struct ServicePlace: Hashable, Sendable {
    /// The service's name in DNS, not cleaned.
    package var name: String
    package var domain: String
    /// The system's index of the network interface.
    package var interface: Int32
    package var family: AddressFamily

    package init(name: String, domain: String, interface: Int32, family: AddressFamily) {
        self.name = name
        self.domain = domain
        self.interface = interface
        self.family = family
    }
}

/// The details of a service, as announced and not authenticated.
package struct ServiceDetails: Hashable, Sendable {
    /// The DNS name of the service's machine.
    package var machine: String
    package var ip: IPAddress
    /// The network interface's name, which a link-local address needs.
    package var zone: String?
    package var port: UInt16
    /// The TXT record's data, in wire format.
    package var text: [UInt8]
    /// True if the service is on this machine.
    package var isLocal: Bool

    package init(machine: String, ip: IPAddress, zone: String?, port: UInt16, text: [UInt8], isLocal: Bool) {
        self.machine = machine
        self.ip = ip
        self.zone = zone
        self.port = port
        self.text = text
        self.isLocal = isLocal
    }
}
