internal import HelioAdmission
private import HelioSharing
internal import HelioStores

/// Makes a host's links. Each contains the machine's current addresses, because the machine may have changed networks.
struct LinkMaker {
    /// The address that the host listens on.
    let address: String
    let identity: Identity
    let web: WebEndpoint?
    /// The place where the host is reached from any network; `nil` if there is none.
    let rendezvous: HostRendezvous?

    func link(port: Int, secret: [UInt8]) -> MirrorSource.Link {
        let hosts = LocalAddress.reachable(listeningAt: address)
        var link = ShareLink(host: hosts[0], port: UInt16(port), fingerprint: identity.fingerprint, secret: secret)
        link.otherHosts = Array(hosts.dropFirst())
        link.rendezvous = rendezvous
        return MirrorSource.Link(
            text: link.text, code: link.code, web: web.map { "\($0.url(at: hosts[0]))#\(link.pageFragment)" },
            webFromAnywhere: web == nil ? nil : rendezvous?.pageLink(code: link.code), otherAddresses: link.otherHosts)
    }
}
