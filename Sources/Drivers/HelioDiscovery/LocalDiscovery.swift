/// DNS-SD on this system.
package enum LocalDiscovery {
    /// Announces a service until it is stopped.
    package static func advertise(
        _ service: ServiceAnnouncement, onEvent: @escaping @Sendable (AdvertisingEvent) -> Void
    ) -> any ServiceAdvertising {
        AvahiAdvertiser(service, onEvent: onEvent)
    }

    /// Browses for services of a type until it is stopped.
    package static func browse(
        for type: String = ServiceAnnouncement.screenType, onEvent: @escaping @Sendable (BrowsingEvent) -> Void
    ) -> any ServiceBrowsing {
        AvahiBrowser(type, onEvent: onEvent)
    }
}
