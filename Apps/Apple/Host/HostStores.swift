import AppKit
import HelioAppModels
import HelioHostFlow

/// Makes the host's flow observable by views.
@MainActor
final class HostStores {
    let menu: ModelStore<HostMenuModel>
    let settings: ModelStore<SettingsModel>
    let opener = PreferencesOpener()
    let page = BrowserPage()
    private let flow: HostFlow

    init() {
        let (opener, page) = (opener, page)
        let flow = HostFlow(
            HostSurroundings(
                share: { try await Self.share($0, page) }, permissions: MacPermissions(), loginItem: MacLoginItem(),
                store: TextDefaults(), openPreferences: { opener.open() },
                quit: { NSApplication.shared.terminate(nil) }))
        self.flow = flow
        menu = ModelStore(flow.menu) { page.refresh() }
        settings = ModelStore(flow.settings)
    }

    private static func share(_ wanted: SharingOptions, _ page: BrowserPage) async throws -> MirrorSharing {
        let sharing = try await MirrorSharing.startWithBrowsers(wanted)
        page.follow(sharing)
        return sharing
    }
}
