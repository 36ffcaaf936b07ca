import HelioAppModels
import SwiftUI

/// The session, in full screen if the person wants that.
struct SessionPlace: View {
    let stores: ViewerStores
    let store: ModelStore<SessionModel>

    var body: some View {
        #if canImport(UIKit)
        SessionView(stores: stores, store: store)
            .statusBarHidden(stores.isFullScreen)
            .persistentSystemOverlays(stores.isFullScreen ? .hidden : .automatic)
        #else
        SessionView(stores: stores, store: store)
        #endif
    }
}
