import HelioAppModels

/// The place where the apps meet the rest of the package: what does the effects of the models and tells them what
/// happens.
///
/// Not filled yet: `Heliograph` and `HelioViewing` are to be called here once their platform on Apple's systems is there.
/// Until then every try says that the host is not reached, and sharing says why it fails.
@MainActor
enum AppPlace {
    static func perform(_ effect: ConnectingModel.Effect, tell: (ConnectingModel.Event) -> Void) {
        if effect == .connect { tell(.ended(.unreachable)) }
    }

    static func perform(_ effect: PairingModel.Effect, tell: (PairingModel.Event) -> Void) {
        switch effect {
        case .join, .pair: tell(.ended(.unreachable))
        case .confirm, .abandon, .close: break
        }
    }

    static func perform(_ effect: HostMenuModel.Effect, tell: (HostMenuModel.Event) -> Void) {
        if effect == .start { tell(.failed("This build has no capture for this system yet.")) }
    }
}
