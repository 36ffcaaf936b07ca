import HelioAppModels
import SwiftUI

/// Draws a button.
struct ActionView: View {
    let label: String
    let role: HelioAppModels.ButtonRole
    let press: @MainActor () -> Void

    var body: some View {
        switch role {
        case .standard: Button(action: press) { Text(label) }
        case .prominent: Button(action: press) { Text(label) }.buttonStyle(.borderedProminent)
        case .destructive: Button(role: .destructive, action: press) { Text(label) }
        case .cancel: Button(role: .cancel, action: press) { Text(label) }
        }
    }
}
