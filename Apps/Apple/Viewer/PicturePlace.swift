import HelioAppModels
import HelioViewerFlow
import SwiftUI

#if canImport(UIKit)
import UIKit

/// The place of the picture, of the fingers on it, and of the touch keyboard.
struct PicturePlace: UIViewRepresentable {
    let flow: ViewerFlow
    let picture: SystemSession
    let pad: TouchPad
    let label: String
    let wantsKeyboard: Bool

    func makeUIView(context: Context) -> TouchPlace { TouchPlace(flow: flow, picture: picture.view, pad: pad) }

    func updateUIView(_ uiView: TouchPlace, context: Context) {
        uiView.accessibilityLabel = label
        uiView.showKeyboard(wantsKeyboard)
    }
}
#elseif canImport(AppKit)
import AppKit

/// The place of the picture, which takes pointer and keys by itself.
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
