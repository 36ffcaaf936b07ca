#if canImport(UIKit)
import HelioAppModels
import SwiftUI

/// Broadcasting this device's screen: where to, the system's button that starts it, and how it goes.
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
