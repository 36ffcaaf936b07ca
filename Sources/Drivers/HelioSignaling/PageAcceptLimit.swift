internal import HelioCore
internal import HelioLoop
internal import HelioTLS

/// The limit on unauthenticated connections at the page's port. Trusted proxies are exempt: all clients of a proxy
/// share its address, and the proxy limits them itself.
struct PageAcceptLimit: AcceptLimiting {
    let strangers: StrangerLimit
    let proxies: Set<IPAddress>

    func mayArrive(_ address: IPAddress?, now: Instant) -> Bool {
        if let address, proxies.contains(address.unmapped) { return true }
        return strangers.mayArrive(address, now: now)
    }

    func resumes(now: Instant) -> Instant? { strangers.resumes(now: now) }
}
