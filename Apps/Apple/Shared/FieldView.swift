import HelioAppModels
import SwiftUI

/// Draws a text field.
struct FieldView<Model: ScreenModel>: View {
    let store: ModelStore<Model>
    let field: Model.Field
    let label: String
    let value: String
    let placeholder: String
    let isSecret: Bool

    var body: some View {
        if isSecret {
            SecureField(label, text: text).accessibilityLabel(label)
        } else {
            TextField(label, text: text, prompt: Text(placeholder.isEmpty ? label : placeholder))
                .accessibilityLabel(label)
        }
    }

    private var text: Binding<String> {
        Binding(get: { @MainActor in value }, set: { @MainActor in store.edit(field, $0) })
    }
}
