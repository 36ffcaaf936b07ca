public import HelioAppModels

/// The shown screen, with its driver.
public enum ViewerPlace {
    case hosts
    case pairing(ScreenDriver<PairingModel>)
    case connecting(ScreenDriver<ConnectingModel>)
    case session(ScreenDriver<SessionModel>)
}
