private import HelioCore
private import HelioDiscovery
private import HelioMDNS
private import HelioSession
internal import HelioSharing
private import Synchronization

/// Announces a source on the local network while it runs (row 104). If that fails, the source runs unannounced.
final class HostAdvertising: Sendable {
    private let advertiser: any ServiceAdvertising

    /// Announces the source.
    ///
    /// - Parameters:
    ///   - name: the source's name.
    ///   - address: the address that the source listens on: its interface is the one to announce on.
    ///   - fingerprint: the fingerprint of the source's certificate.
    ///   - web: the port of the page for browsers; `nil` for none.
    init(
        name: String, address: String, port: Int, fingerprint: [UInt8], web: (port: Int, usesTLS: Bool)?,
        events: SourceEvents
    ) {
        let name = DeviceName.clean(name, fallback: "Heliograph")
        let description = HostDescription(
            name: name, version: HeliographVersion.text, fingerprint: fingerprint,
            webPort: web.flatMap { UInt16(exactly: $0.port) }, webUsesTLS: web?.usesTLS ?? false)
        let service = ServiceAnnouncement(
            name: name, port: UInt16(exactly: port) ?? 0, text: description.record.serialised(),
            interface: LocalAddress.interface(listeningAt: address))
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
