internal import HelioCore
internal import HelioWindow

/// The texts that are shown over a window's picture.
package struct WindowTexts: Sendable, Hashable {
    /// The text in the middle, shown until the first picture.
    package var waiting: String
    /// The text at the bottom; `nil` for none.
    package var message: String?
    /// The lines in the top left corner; `nil` for none.
    package var statistics: [String]?
    /// True if the help about keys is shown, in the middle.
    package var showsHelp = false
    package var hasPicture = false

    package init(waiting: String) { self.waiting = waiting }

    /// The position of a text in the view.
    package enum Place: Sendable, Hashable, CaseIterable {
        case middle
        case bottom
        case topLeft
    }

    /// Returns the text to show at a position; `nil` if there is none.
    package func text(at place: Place) -> String? {
        switch place {
        case .middle: showsHelp ? WindowCommand.help.joined(separator: "\n") : hasPicture ? nil : waiting
        case .bottom: message
        case .topLeft: statistics?.joined(separator: "\n")
        }
    }
}

extension WindowTexts.Place {
    /// Returns the bottom left corner of a text in a view whose y increases upwards, in the unit of the arguments.
    package func origin(
        of text: (width: Double, height: Double), in view: (width: Double, height: Double)
    ) -> (x: Double, y: Double) {
        let middle = (view.width - text.width) / 2
        return switch self {
        case .middle: (middle, (view.height - text.height) / 2)
        case .bottom: (middle, Self.margin)
        case .topLeft: (Self.margin, view.height - text.height - Self.margin)
        }
    }

    private static var margin: Double { 12 }
}
