import HelioAppModels
import SwiftUI

/// The overlay of the picture: the bar with its panel, statistics, questions, and the special keyboard.
struct SessionBarView: View {
    let stores: ViewerStores
    let store: ModelStore<SessionModel>

    var body: some View {
        VStack(alignment: .leading) {
            if let driver = store.model.screen.message { Text(driver.localized) }
            if let note = stores.note { Text(note) }
            ElementsView(store: store)
            if store.model.keyboard.isShown { SpecialKeysView(store: store) }
        }
        .padding()
        .background(.regularMaterial)
    }
}
