import HelioHostFlow
import ServiceManagement

/// Starts the host when the person logs in, by the system's login items.
@MainActor
final class MacLoginItem: LoginItem {
    var isEnabled: Bool { SMAppService.mainApp.status == .enabled }

    func set(_ isEnabled: Bool) throws {
        try isEnabled ? SMAppService.mainApp.register() : SMAppService.mainApp.unregister()
    }
}
