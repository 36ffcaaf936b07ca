import HelioAppModels
import HelioViewerFlow

/// The screen to show, with the observable models.
enum ShownPlace {
    case hosts
    case pairing(ModelStore<PairingModel>)
    case connecting(ModelStore<ConnectingModel>)
    case session(ModelStore<SessionModel>)

    /// Keeps the present value if its driver is the same, so that views keep their model.
    @MainActor
    init(_ place: ViewerPlace, after shown: ShownPlace) {
        switch (place, shown) {
        case (.hosts, _): self = .hosts
        case (.pairing(let driver), .pairing(let store)) where store.follows(driver): self = shown
        case (.connecting(let driver), .connecting(let store)) where store.follows(driver): self = shown
        case (.session(let driver), .session(let store)) where store.follows(driver): self = shown
        case (.pairing(let driver), _): self = .pairing(ModelStore(driver))
        case (.connecting(let driver), _): self = .connecting(ModelStore(driver))
        case (.session(let driver), _): self = .session(ModelStore(driver))
        }
    }
}
