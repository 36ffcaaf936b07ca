import HelioAppModels
import SwiftUI

/// The three rows of keys that a touch keyboard lacks.
struct SpecialKeysView: View {
    let store: ModelStore<SessionModel>

    var body: some View {
        ForEach(store.model.keyboard.rows, id: \.self) { row in
            ScrollView(.horizontal, showsIndicators: false) {
                HStack { ForEach(row, id: \.self) { key in SpecialKeyView(store: store, key: key) } }
            }
        }
    }
}
