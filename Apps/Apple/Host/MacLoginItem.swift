import HelioHostFlow
import ServiceManagement

/// The host's entry in the system's login items.
@MainActor
final class MacLoginItem: LoginItem {
    var isEnabled: Bool { SMAppService.mainApp.status == .enabled }

    func set(_ isEnabled: Bool) throws {
        try isEnabled ? SMAppService.mainApp.register() : SMAppService.mainApp.unregister()
    }
}
