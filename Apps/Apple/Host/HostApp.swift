import HelioAppModels
import SwiftUI

/// The host in the Mac's menu bar.
@main
struct HostApp: App {
    @State private var stores = HostStores()

    var body: some Scene {
        MenuBarExtra {
            HostMenuView(stores: stores)
        } label: {
            Image(systemName: stores.menu.model.isWatched ? "sun.max.fill" : "sun.max")
                .accessibilityLabel(stores.menu.model.screen.title.localized)
        }
        .menuBarExtraStyle(.window)
        Settings {
            ScreenView(store: stores.settings).frame(width: 420, height: 300)
                .onDisappear { DockPresence.end() }
        }
    }
}
