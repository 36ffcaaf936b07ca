import HelioAppModels
import Observation

/// Which screen of the viewer is shown.
@MainActor @Observable
final class ViewerFlow {
    private(set) var connecting: ModelStore<ConnectingModel>?
    private(set) var pairing: ModelStore<PairingModel>?
    private(set) var session: ModelStore<SessionModel>?
    @ObservationIgnored private(set) lazy var settings = ModelStore(SettingsModel(AppSettings(), side: .viewer)) { _ in
    }
    @ObservationIgnored private(set) lazy var hosts = ModelStore(HostListModel()) { [weak self] in self?.perform($0) }
    @ObservationIgnored private var host = ""

    private func perform(_ effect: HostListModel.Effect) {
        guard case .open(let opened) = effect else { return }
        host = opened.name
        connecting = ModelStore(ConnectingModel(host: host, now: .zero)) { [weak self] in self?.perform($0) }
    }

    private func perform(_ effect: ConnectingModel.Effect) {
        switch effect {
        case .watch: session = ModelStore(SessionModel(host: host, now: .zero)) { [weak self] in self?.perform($0) }
        case .ask(let ending):
            let model = PairingModel(host: host, canPair: true, name: "", failure: ending)
            pairing = ModelStore(model) { [weak self] in self?.perform($0) }
        case .close: connecting = nil
        // The model is told after it has been drained, and is there by then.
        default: Task { AppPlace.perform(effect) { connecting?.handle($0) } }
        }
    }

    private func perform(_ effect: PairingModel.Effect) {
        if effect == .close {
            pairing = nil
            return
        }
        Task { AppPlace.perform(effect) { pairing?.handle($0) } }
    }

    private func perform(_ effect: SessionModel.Effect) {
        guard effect == .leave else { return }
        session = nil
        connecting?.handle(.ended(.left))
    }
}
