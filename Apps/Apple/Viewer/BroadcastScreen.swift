#if canImport(UIKit)
import HelioAppModels
import SwiftUI

/// The broadcast screen: the destination, the system's button that starts the broadcast, and its state.
struct BroadcastScreen: View {
    private let stores = BroadcastStores.shared

    var body: some View {
        VStack {
            ScreenView(store: stores.screen)
            if stores.isPickerShown {
                BroadcastPicker(label: Phrase(.castStart).localized).frame(width: 60, height: 60)
            }
        }
    }
}
#endif
