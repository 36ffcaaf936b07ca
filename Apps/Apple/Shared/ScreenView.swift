import HelioAppModels
import SwiftUI

/// Draws what a model shows, from the top down.
struct ScreenView<Model: ScreenModel>: View {
    let store: ModelStore<Model>

    var body: some View {
        List {
            if let message = store.model.screen.message { Text(message.localized) }
            if store.model.screen.isBusy { ProgressView() }
            ElementsView(store: store)
        }
        .navigationTitle(store.model.screen.title.localized)
    }
}
