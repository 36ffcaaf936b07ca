#if canImport(UIKit)
internal import Foundation
internal import HelioAppleMedia
internal import UIKit

/// The labels that show a view's texts over the picture. It is only type-checked; no test runs it.
@MainActor
final class AppleLabels {
    private var labels: [WindowTexts.Place: UILabel] = [:]

    func show(_ texts: WindowTexts, in view: UIView) {
        for place in WindowTexts.Place.allCases {
            let label = labels[place] ?? makeLabel(in: view)
            labels[place] = label
            label.text = texts.text(at: place)
            label.isHidden = label.text == nil
            label.sizeToFit()
        }
        place(in: view)
    }

    private func makeLabel(in view: UIView) -> UILabel {
        let label = UILabel(frame: CGRect(x: 0, y: 0, width: 0, height: 0))
        label.textColor = .white
        label.backgroundColor = .black
        label.numberOfLines = 0
        view.addSubview(label)
        return label
    }

    /// Positions the labels, for the view's present size.
    func place(in view: UIView) {
        let bounds = view.bounds
        for (place, label) in labels {
            let (width, height) = (Double(label.frame.size.width), Double(label.frame.size.height))
            let origin = place.origin(of: (width, height), in: (Double(bounds.size.width), Double(bounds.size.height)))
            let top = Double(bounds.size.height) - origin.y - height
            label.frame = CGRect(x: origin.x, y: top, width: width, height: height)
        }
    }
}
#endif
