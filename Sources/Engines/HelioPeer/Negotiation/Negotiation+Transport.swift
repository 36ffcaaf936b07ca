import HelioCore
import HelioSDP

// The shared transport of all sections.
extension Negotiation {
    struct Credentials {
        var usernameFragment: ICEUsernameFragment
        var password: ICEPassword
        var fingerprints: [CertificateFingerprint]
    }

    /// Returns the section whose transport parameters apply to all of `live`: the first live section in the bundle, or
    /// without a bundle the first live section (RFC 9143 section 7). If that section is bundled but has no credentials,
    /// returns a bundled section with credentials, even a refused one.
    func carrier(of live: [RemoteSection], in remote: RemoteDescription) -> RemoteSection? {
        let names = remote.bundle ?? []
        func first(in sections: [RemoteSection]) -> RemoteSection? {
            for name in names { if let section = sections.first(where: { $0.mid == name }) { return section } }
            return sections.first
        }
        guard let chosen = first(in: live) else { return nil }
        if chosen.usernameFragment == nil, remote.isBundled(chosen) {
            return first(in: remote.sections.filter { $0.usernameFragment != nil && remote.isBundled($0) }) ?? chosen
        }
        return chosen
    }

    func credentials(of section: RemoteSection) throws(NegotiationError) -> Credentials {
        guard let name = section.usernameFragment else {
            throw .missing(attribute: ICEUsernameFragment.attributeName, section: section.index)
        }
        guard let password = section.password else {
            throw .missing(attribute: ICEPassword.attributeName, section: section.index)
        }
        guard !section.fingerprints.isEmpty else {
            throw .missing(attribute: CertificateFingerprint.attributeName, section: section.index)
        }
        let strong = section.fingerprints.filter(\.isStrong)
        guard !strong.isEmpty else { throw .weakFingerprint(section: section.index) }
        return Credentials(usernameFragment: name, password: password, fingerprints: strong)
    }

    func transport(
        _ local: LocalTransport, _ section: RemoteSection, role: NegotiatedTransport.DTLSRole, isRemoteLite: Bool,
        isLocalOffer: Bool, mids: [String]
    ) throws(NegotiationError) -> NegotiatedTransport {
        let remote = try credentials(of: section)
        let before = agreement?.transport
        // The full end controls if the other end is lite; otherwise the offerer controls.
        let isControlling = local.isLite == isRemoteLite ? isLocalOffer : isRemoteLite
        var transport = NegotiatedTransport(
            local: local, remoteUsernameFragment: remote.usernameFragment, remotePassword: remote.password,
            remoteFingerprints: remote.fingerprints, isRemoteLite: isRemoteLite,
            isRemoteTrickling: section.isTrickling, remoteCandidates: section.candidates, role: role,
            isControlling: before?.isControlling ?? isControlling, mids: mids)
        transport.takesTrickled = section.takesTrickled
        if let before {
            transport.isICERestart =
                local.usernameFragment != before.local.usernameFragment || local.password != before.local.password
                || remote.usernameFragment != before.remoteUsernameFragment || remote.password != before.remotePassword
            transport.isNewDTLSAssociation =
                role != before.role || local.fingerprints != before.local.fingerprints
                || Set(remote.fingerprints) != Set(before.remoteFingerprints)
        }
        return transport
    }

    func data(_ section: RemoteSection, mid: String?) -> NegotiatedData {
        NegotiatedData(
            section: section.index, mid: mid, localPort: SCTPPort.usual, remotePort: section.sctpPort,
            maximumSentMessageSize: section.maximumMessageSize == 0 ? nil : section.maximumMessageSize)
    }
}
