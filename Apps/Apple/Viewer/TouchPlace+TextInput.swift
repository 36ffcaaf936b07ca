#if canImport(UIKit)
import CoreGraphics
import Foundation
import HelioViewerFlow
import UIKit

/// The touch keyboard, with input methods such as Chinese and Japanese ones, corrections and dictation.
extension TouchPlace: UITextInput {
    var hasText: Bool { true }
    func insertText(_ text: String) { edit { $0.insert(text) } }
    func deleteBackward() { edit { $0.deleteBackward() } }

    // MARK: Text

    func text(in range: UITextRange) -> String? { typed.slice(range.span) }
    func replace(_ range: UITextRange, withText text: String) { edit { $0.replace(range.span, with: text) } }

    var markedTextRange: UITextRange? { typed.marked.map { TextSpan($0) } }
    func setMarkedText(_ markedText: String?, selectedRange: NSRange) {
        edit { typed in
            typed.setMarked(markedText ?? "")
            return []
        }
    }
    func unmarkText() { edit { $0.unmark() } }

    // MARK: Positions

    var beginningOfDocument: UITextPosition { TextPlace(0) }
    var endOfDocument: UITextPosition { TextPlace(typed.count) }

    func textRange(from fromPosition: UITextPosition, to toPosition: UITextPosition) -> UITextRange? {
        let (from, to) = (fromPosition.place, toPosition.place)
        return TextSpan(min(from, to)..<max(from, to))
    }

    func position(from position: UITextPosition, offset: Int) -> UITextPosition? {
        let index = position.place + offset
        return (0...typed.count).contains(index) ? TextPlace(index) : nil
    }

    func position(
        from position: UITextPosition, in direction: UITextLayoutDirection, offset: Int
    ) -> UITextPosition? {
        self.position(from: position, offset: direction == .left || direction == .up ? -offset : offset)
    }

    func compare(_ position: UITextPosition, to other: UITextPosition) -> ComparisonResult {
        let (one, two) = (position.place, other.place)
        return one == two ? .orderedSame : one < two ? .orderedAscending : .orderedDescending
    }

    func offset(from: UITextPosition, to toPosition: UITextPosition) -> Int { toPosition.place - from.place }

    func position(
        within range: UITextRange, farthestIn direction: UITextLayoutDirection
    ) -> UITextPosition? { direction == .left || direction == .up ? range.start : range.end }

    func characterRange(
        byExtending position: UITextPosition, in direction: UITextLayoutDirection
    ) -> UITextRange? {
        let other = self.position(from: position, in: direction, offset: 1) ?? position
        return textRange(from: position, to: other)
    }

    // MARK: Places on the screen: the text is the host's, so there are none but the view's lower edge.

    private var edge: CGRect { CGRect(x: 12, y: max(0, bounds.height - 40), width: 1, height: 28) }
    func firstRect(for range: UITextRange) -> CGRect { edge }
    func caretRect(for position: UITextPosition) -> CGRect { edge }
    func selectionRects(for range: UITextRange) -> [UITextSelectionRect] { [] }
    func closestPosition(to point: CGPoint) -> UITextPosition? { endOfDocument }
    func closestPosition(to point: CGPoint, within range: UITextRange) -> UITextPosition? { range.end }
    func characterRange(at point: CGPoint) -> UITextRange? { nil }

    func baseWritingDirection(
        for position: UITextPosition, in direction: UITextStorageDirection
    ) -> NSWritingDirection { .natural }
    func setBaseWritingDirection(_ writingDirection: NSWritingDirection, for range: UITextRange) {}
}
#endif
