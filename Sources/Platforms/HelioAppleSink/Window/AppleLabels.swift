#if canImport(AppKit)
internal import AppKit
internal import Foundation
internal import HelioAppleMedia

/// The labels that show a window's texts over the picture. It is only type-checked; no test runs it.
@MainActor
final class AppleLabels {
    private var labels: [WindowTexts.Place: NSTextField] = [:]

    func show(_ texts: WindowTexts, in view: NSView) {
        for place in WindowTexts.Place.allCases {
            let label = labels[place] ?? makeLabel(in: view)
            labels[place] = label
            label.stringValue = texts.text(at: place) ?? ""
            label.isHidden = label.stringValue.isEmpty
            label.sizeToFit()
        }
        place(in: view)
    }

    private func makeLabel(in view: NSView) -> NSTextField {
        let label = NSTextField(labelWithString: "")
        label.textColor = .white
        label.backgroundColor = .black
        label.drawsBackground = true
        view.addSubview(label)
        return label
    }

    /// Positions the labels, for the view's present size.
    func place(in view: NSView) {
        let bounds = view.bounds
        for (place, label) in labels {
            let size = label.frame
            let (x, y) = place.origin(
                of: (Double(size.width), Double(size.height)), in: (Double(bounds.width), Double(bounds.height)))
            label.frame = NSRect(x: x, y: y, width: Double(size.width), height: Double(size.height))
        }
    }
}
#endif
