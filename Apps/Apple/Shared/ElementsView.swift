import HelioAppModels
import SwiftUI

/// Draws a screen's elements, one below the other.
struct ElementsView<Model: ScreenModel>: View {
    let store: ModelStore<Model>

    var body: some View {
        ForEach(Array(store.model.screen.elements.enumerated()), id: \.offset) { item in
            ElementView(element: item.element, store: store)
        }
    }
}
