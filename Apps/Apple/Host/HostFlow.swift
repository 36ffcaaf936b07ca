import HelioAppModels
import Observation

/// The host's models, and who does what they want done.
@MainActor @Observable
final class HostFlow {
    @ObservationIgnored private(set) lazy var menu = ModelStore(HostMenuModel()) { [weak self] in self?.perform($0) }
    @ObservationIgnored private(set) lazy var settings = ModelStore(SettingsModel(AppSettings(), side: .host)) { _ in }

    private func perform(_ effect: HostMenuModel.Effect) {
        // The model is told after it has been drained.
        Task {
            switch effect {
            case .setStartAtLogin(let wanted): menu.handle(LoginItem.set(wanted))
            default: AppPlace.perform(effect) { menu.handle($0) }
            }
        }
    }
}
