public import HelioAppModels

/// Which screen is shown, with what draws it.
public enum ViewerPlace {
    case hosts
    case pairing(ScreenDriver<PairingModel>)
    case connecting(ScreenDriver<ConnectingModel>)
    case session(ScreenDriver<SessionModel>)
}
