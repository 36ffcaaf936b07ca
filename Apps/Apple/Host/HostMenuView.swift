import AppKit
import HelioAppModels
import SwiftUI

/// The menu, shown as a window below its icon in the menu bar.
struct HostMenuView: View {
    let stores: HostStores
    @Environment(\.openSettings) private var openSettings

    var body: some View {
        // A list has no intrinsic height.
        ScreenView(store: stores.menu).frame(width: 340, height: 440)
            .task {
                stores.opener.open = {
                    // The app has no icon in the Dock, so it has to be brought to the front.
                    NSApplication.shared.activate()
                    openSettings()
                }
            }
    }
}
