package import HelioCore

/// Looks for services on the local network for as long as it is told to: the seam that Avahi fills on Linux.
///
/// No call waits for the network or for another program.
package protocol ServiceBrowsing: Sendable {
    /// No event comes later than a moment after this.
    func stop()
}

/// What is found; told on a thread of the browser's, in order.
package enum BrowsingEvent: Hashable, Sendable {
    /// From now on services are looked for; none is known yet.
    case available
    /// Nothing can be looked for now, and why. All that was found is forgotten.
    case unavailable(DiscoveryObstacle)
    /// A service is there, or what it says of itself has changed.
    case found(ServicePlace, ServiceDetails)
    /// It is there no more.
    case gone(ServicePlace)
    /// What was there at the beginning has been told.
    case settled
    /// Something was not looked at.
    case dropped(DiscoveryDrop)
}

/// Where a service was seen: the same one may be seen on several networks.
package struct ServicePlace: Hashable, Sendable {
    /// The service's name as it stands in DNS.
    package var name: String
    package var domain: String
    /// The network interface, by number.
    package var interface: Int32
    package var family: AddressFamily

    package init(name: String, domain: String, interface: Int32, family: AddressFamily) {
        self.name = name
        self.domain = domain
        self.interface = interface
        self.family = family
    }
}

/// What a service says of itself.
package struct ServiceDetails: Hashable, Sendable {
    /// The name of the machine that it is on, in DNS.
    package var machine: String
    package var ip: IPAddress
    /// The network interface's name, that an address of the link alone needs.
    package var zone: String?
    package var port: UInt16
    /// The data of its TXT record.
    package var text: [UInt8]
    /// It is on this machine.
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
