private import HelioCore
private import HelioDiscovery
private import HelioMDNS
private import HelioSession
internal import HelioSharing
private import HelioStores
private import Synchronization

/// Announces a source on the local network while it runs (requirement row 104). If that fails, the source runs
/// unannounced, and an event reports the reason.
final class HostAdvertising: Sendable {
    private let advertiser: any ServiceAdvertising

    /// Starts to announce the source.
    ///
    /// - Parameters:
    ///   - port: the port that the source listens on.
    ///   - web: the endpoint for browsers; `nil` for none.
    init(on ground: Groundwork, port: Int, web: WebEndpoint?) {
        let name = DeviceName.clean(ground.name, fallback: "Heliograph")
        let description = HostDescription(
            name: name, version: HeliographVersion.text, fingerprint: ground.identity.fingerprint,
            webPort: web.flatMap { UInt16(exactly: $0.port) },
            webUsesTLS: web != nil && ground.options.web?.usesTLS ?? false)
        let service = ServiceAnnouncement(
            name: name, port: UInt16(exactly: port) ?? 0, text: description.record.serialised(),
            interface: LocalAddress.interface(listeningAt: ground.options.address))
        let events = ground.events
        let told = Mutex(false)
        advertiser = LocalDiscovery.advertise(service) { event in
            switch event {
            case .announced(let taken): events.note("Announced on the network as '\(taken)'.")
            case .unavailable(let why):
                let isFirst = told.withLock { told in
                    defer { told = true }
                    return !told
                }
                if isFirst { events.note("Not announced on the network: \(why). The link works without.") }
            case .refused(let why): events.note("Not announced on the network: \(why). The link works without.")
            }
        }
    }

    /// Withdraws the announcement.
    func stop() async { await advertiser.stop() }
}
