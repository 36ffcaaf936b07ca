import HelioAppModels
import SwiftUI

/// A key of the special keyboard.
struct SpecialKeyView: View {
    let store: ModelStore<SessionModel>
    let key: SpecialKeyboardModel.Key

    var body: some View {
        if key.isDown {
            button.buttonStyle(.borderedProminent).accessibilityAddTraits(.isSelected)
        } else {
            button
        }
    }

    private var button: some View {
        Button {
            store.press(.key(row: key.row, column: key.column))
        } label: {
            Text(key.label)
        }
        .accessibilityLabel(key.name.localized)
    }
}
