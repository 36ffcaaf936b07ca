import HelioAppModels
import SwiftUI

/// Draws one element of a screen.
struct ElementView<Model: ScreenModel>: View {
    let element: ScreenElement<Model.Action, Model.Field>
    let store: ModelStore<Model>

    var body: some View {
        switch element {
        case .heading(let text):
            Text(text.localized).font(.headline).accessibilityAddTraits(.isHeader)
        case .text(let text): Text(text.localized)
        case .warning(let text): Text(text.localized).foregroundStyle(Color.red)
        case .digits(let digits): DigitsView(digits: digits)
        case .field(let field, let label, let value, let placeholder, let isSecret):
            FieldView(
                store: store, field: field, label: label.localized, value: value, placeholder: placeholder,
                isSecret: isSecret)
        case .toggle(let action, let label, let isOn):
            ToggleView(label: label.localized, isOn: isOn) { store.press(action) }
        case .choice(let action, let label, let detail, let isChosen):
            RowView(label: label, detail: detail, isChosen: isChosen) { store.press(action) }
        case .row(let action, let label, let detail):
            RowView(label: label, detail: detail, isChosen: false) { store.press(action) }
        case .button(let action, let label, let role):
            ActionView(label: label.localized, role: role) { store.press(action) }
        }
    }
}
