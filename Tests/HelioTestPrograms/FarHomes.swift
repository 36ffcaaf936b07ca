/// The routers of two homes, and the way by which pictures have to come between them.
package struct FarHomes: CustomStringConvertible, Sendable {
    package var host: RouterKind
    package var viewer: RouterKind
    /// The way to a native viewer.
    package var way: TwoHomes.Way

    package init(host: RouterKind, viewer: RouterKind, way: TwoHomes.Way) {
        (self.host, self.viewer, self.way) = (host, viewer, way)
    }

    /// The way to a browser, which gets no pictures by the rendezvous: by TURN at HTTPS' port instead.
    package var browserWay: TwoHomes.Way { way == .rendezvous ? .relayed : way }

    package var description: String { "\(host.rawValue) to \(viewer.rawValue)" }

    package static let all = [
        Self(host: .fullCone, viewer: .fullCone, way: .direct),
        Self(host: .restricted, viewer: .restricted, way: .direct),
        Self(host: .portRestricted, viewer: .portRestricted, way: .direct),
        Self(host: .symmetric, viewer: .fullCone, way: .direct),
        // The symmetric router's other port is let in, as its address is known.
        Self(host: .restricted, viewer: .symmetric, way: .direct),
        Self(host: .portRestricted, viewer: .symmetric, way: .relayed),
        Self(host: .symmetric, viewer: .symmetric, way: .relayed),
        Self(host: .portRestricted, viewer: .noUDP, way: .relayed),
        Self(host: .noUDP, viewer: .noUDP, way: .relayed),
        Self(host: .portRestricted, viewer: .only443, way: .rendezvous),
        Self(host: .only443, viewer: .symmetric, way: .rendezvous),
    ]
}
