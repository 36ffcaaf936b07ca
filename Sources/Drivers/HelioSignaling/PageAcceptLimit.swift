package import HelioCore
internal import HelioLoop
package import HelioTLS

/// The limit on unauthenticated connections at the port of a page or service. Trusted proxies are exempt: all clients of a proxy
/// share its address, and the proxy limits them itself.
package struct PageAcceptLimit: AcceptLimiting {
    private let strangers: StrangerLimit
    private let proxies: Set<IPAddress>

    package init(strangers: StrangerLimit, proxies: Set<IPAddress>) {
        self.strangers = strangers
        self.proxies = proxies
    }

    package func mayArrive(_ address: IPAddress?, now: Instant) -> Bool {
        if let address, proxies.contains(address.unmapped) { return true }
        return strangers.mayArrive(address, now: now)
    }

    package func resumes(now: Instant) -> Instant? { strangers.resumes(now: now) }
}
