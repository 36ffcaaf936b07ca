#if canImport(UIKit)
import ReplayKit
import SwiftUI
import UIKit

/// The system's button that starts the broadcast.
struct BroadcastPicker: UIViewRepresentable {
    let label: String

    func makeUIView(context: Context) -> RPSystemBroadcastPickerView {
        let picker = RPSystemBroadcastPickerView()
        picker.preferredExtension = "org.heliograph.viewer.broadcast"
        picker.showsMicrophoneButton = false
        picker.accessibilityLabel = label
        return picker
    }

    func updateUIView(_ uiView: RPSystemBroadcastPickerView, context: Context) { uiView.accessibilityLabel = label }
}
#endif
