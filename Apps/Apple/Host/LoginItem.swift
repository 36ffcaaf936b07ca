import HelioAppModels
import ServiceManagement

/// Starts the host when the person logs in.
enum LoginItem {
    static func set(_ wanted: Bool) -> HostMenuModel.Event {
        do {
            try wanted ? SMAppService.mainApp.register() : SMAppService.mainApp.unregister()
            return .startsAtLogin(SMAppService.mainApp.status == .enabled)
        } catch {
            return .loginItemFailed("\(error)")
        }
    }
}
