import HelioTestPrograms

/// The routers of two homes, and the way by which pictures have to come between them.
struct FarHomes: CustomStringConvertible {
    var host: RouterKind
    var viewer: RouterKind
    var way: TwoHomes.Way

    var description: String { "\(host.rawValue) to \(viewer.rawValue)" }

    static let all = [
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
