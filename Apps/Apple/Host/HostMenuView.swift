import AppKit
import HelioAppModels
import SwiftUI

/// The menu, as a window below the menu bar's sun.
struct HostMenuView: View {
    let stores: HostStores
    @Environment(\.openSettings) private var openSettings

    var body: some View {
        // A list has no height of its own.
        ScreenView(store: stores.menu).frame(width: 340, height: 440)
            .task {
                stores.opener.open = {
                    // The app has no icon in the Dock: it comes to the front when it is told to.
                    NSApplication.shared.activate()
                    openSettings()
                }
            }
    }
}
