/// The entry point to the system's DNS-SD: Bonjour on Apple's systems, Avahi elsewhere.
package enum LocalDiscovery {
    /// Announces a service until `stop` is called on the result.
    package static func advertise(
        _ service: ServiceAnnouncement, onEvent: @escaping @Sendable (AdvertisingEvent) -> Void
    ) -> any ServiceAdvertising {
        #if canImport(Network)
        BonjourAdvertiser(service, onEvent: onEvent)
        #else
        AvahiAdvertiser(service, onEvent: onEvent)
        #endif
    }

    /// Browses for services of a type until `stop` is called on the result.
    package static func browse(
        for type: String = ServiceAnnouncement.screenType, onEvent: @escaping @Sendable (BrowsingEvent) -> Void
    ) -> any ServiceBrowsing {
        #if canImport(Network)
        BonjourBrowser(type, onEvent: onEvent)
        #else
        AvahiBrowser(type, onEvent: onEvent)
        #endif
    }
}
