import SwiftUI

/// Digits to compare, shown large and read aloud one by one.
struct DigitsView: View {
    let digits: String

    var body: some View {
        Text(digits)
            .font(.largeTitle.monospacedDigit())
            .accessibilityLabel(digits.map(String.init).joined(separator: " "))
    }
}
