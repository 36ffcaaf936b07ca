import AppKit
import HelioAppModels
import HelioHostFlow

/// Makes the host's flow observable by views.
@MainActor
final class HostStores {
    let menu: ModelStore<HostMenuModel>
    let settings: ModelStore<SettingsModel>
    let opener = PreferencesOpener()
    private let flow: HostFlow

    init() {
        let opener = opener
        let flow = HostFlow(
            HostSurroundings(
                share: { try await MirrorSharing.start($0) }, permissions: MacPermissions(), loginItem: MacLoginItem(),
                store: TextDefaults(), openPreferences: { opener.open() },
                quit: { NSApplication.shared.terminate(nil) }))
        self.flow = flow
        menu = ModelStore(flow.menu)
        settings = ModelStore(flow.settings)
    }
}
