import HelioAppModels
import SwiftUI

/// Draws a model's screen, from top to bottom.
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
