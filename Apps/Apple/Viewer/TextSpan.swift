#if canImport(UIKit)
import UIKit

/// A position in the text that the touch keyboard sees, in UTF-16 code units.
final class TextPlace: UITextPosition {
    let index: Int

    init(_ index: Int) { self.index = index }
}

/// A range of the text that the touch keyboard sees.
final class TextSpan: UITextRange {
    let range: Range<Int>

    init(_ range: Range<Int>) { self.range = range }

    override var start: UITextPosition { TextPlace(range.lowerBound) }
    override var end: UITextPosition { TextPlace(range.upperBound) }
    override var isEmpty: Bool { range.isEmpty }
}

extension UITextPosition {
    var place: Int { (self as? TextPlace)?.index ?? 0 }
}

extension UITextRange {
    var span: Range<Int> { (self as? TextSpan)?.range ?? 0..<0 }
}
#endif
