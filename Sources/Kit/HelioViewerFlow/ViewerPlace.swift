public import HelioAppModels

/// The screen to show, with its driver. The driver of the list is ``ViewerFlow/hosts``.
public enum ViewerPlace {
    case hosts
    case pairing(ScreenDriver<PairingModel>)
    case connecting(ScreenDriver<ConnectingModel>)
    case session(ScreenDriver<SessionModel>)
}
