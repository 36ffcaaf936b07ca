public import AppleBase

@MainActor open class UITextPosition: NSObject {
    public override init() { stub() }
}

@MainActor open class UITextRange: NSObject {
    public override init() { stub() }
    open var start: UITextPosition { stub() }
    open var end: UITextPosition { stub() }
    open var isEmpty: Bool { stub() }
}

@MainActor open class UITextSelectionRect: NSObject {}

public enum UITextLayoutDirection: Int, Sendable {
    case right = 2
    case left = 3
    case up = 4
    case down = 5
}

public enum UITextStorageDirection: Int, Sendable {
    case forward = 0
    case backward = 1
}

public enum NSWritingDirection: Int, Sendable {
    case natural = -1
    case leftToRight = 0
    case rightToLeft = 1
}

public enum UITextAutocapitalizationType: Int, Sendable {
    case none = 0
}

public enum UITextSmartQuotesType: Int, Sendable {
    case `default` = 0
    case no = 1
}

public enum UITextSmartDashesType: Int, Sendable {
    case `default` = 0
    case no = 1
}

@MainActor public protocol UITextInputTraits: NSObjectProtocol {
    var autocapitalizationType: UITextAutocapitalizationType { get set }
    var smartDashesType: UITextSmartDashesType { get set }
    var smartQuotesType: UITextSmartQuotesType { get set }
}

@MainActor public protocol UIKeyInput: UITextInputTraits {
    var hasText: Bool { get }
    func insertText(_ text: String)
    func deleteBackward()
}

@MainActor public protocol UITextInputDelegate: NSObjectProtocol {
    func textWillChange(_ textInput: (any UITextInput)?)
    func textDidChange(_ textInput: (any UITextInput)?)
}

@MainActor public protocol UITextInputTokenizer: NSObjectProtocol {}

@MainActor open class UITextInputStringTokenizer: NSObject, UITextInputTokenizer {
    public init(textInput: any UIResponder & UITextInput) { stub() }
}

@MainActor public protocol UITextInput: UIKeyInput {
    func text(in range: UITextRange) -> String?
    func replace(_ range: UITextRange, withText text: String)
    var selectedTextRange: UITextRange? { get set }
    var markedTextRange: UITextRange? { get }
    var markedTextStyle: [NSAttributedString.Key: Any]? { get set }
    func setMarkedText(_ markedText: String?, selectedRange: NSRange)
    func unmarkText()
    var beginningOfDocument: UITextPosition { get }
    var endOfDocument: UITextPosition { get }
    func textRange(from fromPosition: UITextPosition, to toPosition: UITextPosition) -> UITextRange?
    func position(from position: UITextPosition, offset: Int) -> UITextPosition?
    func position(
        from position: UITextPosition, in direction: UITextLayoutDirection, offset: Int
    ) -> UITextPosition?
    func compare(_ position: UITextPosition, to other: UITextPosition) -> ComparisonResult
    func offset(from: UITextPosition, to toPosition: UITextPosition) -> Int
    var inputDelegate: (any UITextInputDelegate)? { get set }
    var tokenizer: any UITextInputTokenizer { get }
    func position(within range: UITextRange, farthestIn direction: UITextLayoutDirection) -> UITextPosition?
    func characterRange(byExtending position: UITextPosition, in direction: UITextLayoutDirection) -> UITextRange?
    func baseWritingDirection(
        for position: UITextPosition, in direction: UITextStorageDirection
    ) -> NSWritingDirection
    func setBaseWritingDirection(_ writingDirection: NSWritingDirection, for range: UITextRange)
    func firstRect(for range: UITextRange) -> CGRect
    func caretRect(for position: UITextPosition) -> CGRect
    func selectionRects(for range: UITextRange) -> [UITextSelectionRect]
    func closestPosition(to point: CGPoint) -> UITextPosition?
    func closestPosition(to point: CGPoint, within range: UITextRange) -> UITextPosition?
    func characterRange(at point: CGPoint) -> UITextRange?
}
