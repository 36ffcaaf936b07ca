import HelioAppModels
import SwiftUI

/// The session: the picture, with the bar at the top and the special keyboard below the bar.
struct SessionView: View {
    let stores: ViewerStores
    let store: ModelStore<SessionModel>

    var body: some View {
        ZStack(alignment: .topLeading) {
            Color.black.ignoresSafeArea()
            if let picture = stores.picture, let pad = stores.pad {
                PicturePlace(
                    flow: stores.flow, picture: picture, pad: pad, label: store.model.pictureLabel.localized,
                    wantsKeyboard: store.model.keyboard.isShown)
            }
            SessionBarView(stores: stores, store: store)
        }
    }
}
