import HelioAppModels
import SwiftUI

/// The session: the picture, with the bar above it and the special keyboard below.
struct SessionView: View {
    let store: ModelStore<SessionModel>

    var body: some View {
        ZStack(alignment: .topLeading) {
            PicturePlace()
            VStack(alignment: .leading) {
                if let driver = store.model.screen.message { Text(driver.localized) }
                ElementsView(store: store)
                if store.model.keyboard.isShown { SpecialKeysView(store: store) }
            }
            .padding()
        }
    }
}
