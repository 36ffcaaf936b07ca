import HelioAppModels
import SwiftUI

/// The menu, shown as a window below its icon in the menu bar.
struct HostMenuView: View {
    let stores: HostStores
    @Environment(\.openSettings) private var openSettings

    var body: some View {
        VStack {
            // A list has no intrinsic height.
            ScreenView(store: stores.menu).frame(width: 340, height: 440)
            BrowserLinkView(page: stores.page)
        }
        .task {
            stores.opener.open = {
                DockPresence.begin()
                openSettings()
            }
        }
    }
}
