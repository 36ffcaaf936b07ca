import HelioAppModels
import SwiftUI

/// The host in the Mac's menu bar.
@main
struct HostApp: App {
    @State private var flow = HostFlow()

    var body: some Scene {
        MenuBarExtra {
            ScreenView(store: flow.menu)
        } label: {
            Image(systemName: flow.menu.model.isWatched ? "sun.max.fill" : "sun.max")
                .accessibilityLabel(flow.menu.model.screen.title.localized)
        }
        .menuBarExtraStyle(.window)
        Settings { ScreenView(store: flow.settings) }
    }
}
