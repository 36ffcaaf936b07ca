import SwiftUI

/// Draws what is on or off; the model says what it is afterwards.
struct ToggleView: View {
    let label: String
    let isOn: Bool
    let press: @MainActor () -> Void

    var body: some View {
        Toggle(label, isOn: Binding(get: { @MainActor in isOn }, set: { @MainActor _ in press() }))
    }
}
