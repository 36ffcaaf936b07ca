import HelioAppModels
import HelioViewerFlow
import SwiftUI

#if canImport(UIKit)
import UIKit

/// The container of the picture, with its touch handling and the touch keyboard.
struct PicturePlace: UIViewRepresentable {
    let flow: ViewerFlow
    let picture: SystemSession
    let pad: TouchPad
    let label: String
    let wantsKeyboard: Bool

    func makeUIView(context: Context) -> TouchPlace { TouchPlace(flow: flow, session: picture, pad: pad) }

    func updateUIView(_ uiView: TouchPlace, context: Context) {
        uiView.accessibilityLabel = label
        uiView.showKeyboard(wantsKeyboard)
    }
}
#elseif canImport(AppKit)
import AppKit

/// The container of the picture, which handles pointer and keys itself.
struct PicturePlace: NSViewRepresentable {
    let flow: ViewerFlow
    let picture: SystemSession
    let pad: TouchPad
    let label: String
    let wantsKeyboard: Bool

    func makeNSView(context: Context) -> NSView { picture.view }
    func updateNSView(_ nsView: NSView, context: Context) { nsView.setAccessibilityLabel(label) }
}
#endif
