import HelioAppModels
import SwiftUI

/// Draws a list row that can be opened or chosen.
struct RowView: View {
    let label: Phrase
    let detail: Phrase?
    let isChosen: Bool
    let press: @MainActor () -> Void

    var body: some View {
        Button(action: press) {
            HStack {
                VStack(alignment: .leading) {
                    Text(label.localized)
                    if let detail { Text(detail.localized).font(.footnote) }
                }
                if isChosen { Image(systemName: "checkmark").accessibilityAddTraits(.isSelected) }
            }
        }
    }
}
