import SwiftUI

/// Draws a toggle; the model determines its state after a tap.
struct ToggleView: View {
    let label: String
    let isOn: Bool
    let press: @MainActor () -> Void

    var body: some View {
        Toggle(label, isOn: Binding(get: { @MainActor in isOn }, set: { @MainActor _ in press() }))
    }
}
