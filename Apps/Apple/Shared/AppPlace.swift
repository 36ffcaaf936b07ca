import HelioAppModels

/// The place where the host's app meets the rest of the package: what does the effects of its model and tells it what
/// happens.
///
/// Not filled yet: `Heliograph` is to be called here. Until then sharing says why it fails.
@MainActor
enum AppPlace {
    static func perform(_ effect: HostMenuModel.Effect, tell: (HostMenuModel.Event) -> Void) {
        if effect == .start { tell(.failed("This build has no capture for this system yet.")) }
    }
}
