public import AppleBase

@MainActor open class UIDevice: NSObject {
    public class var current: UIDevice { stub() }
    public var name: String { stub() }
}

@MainActor public protocol UIKeyInput: AnyObject {
    var hasText: Bool { get }
    func insertText(_ text: String)
    func deleteBackward()
}
