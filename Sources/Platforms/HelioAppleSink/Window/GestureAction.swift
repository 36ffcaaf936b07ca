#if canImport(UIKit)
internal import UIKit

/// The target of a gesture recognizer, which calls a closure. It is only type-checked; no test runs it.
///
/// The action is `select(_:)`, which every responder has. A new action would need `@objc`, which only Apple's compilers
/// accept, so the file could not be type-checked on other systems.
final class GestureAction: UIResponder {
    static let action = Selector(("select:"))
    var body: (() -> Void)?

    override func select(_ sender: Any?) { body?() }
}
#endif
