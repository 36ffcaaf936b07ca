#if canImport(UIKit)
internal import UIKit

/// The target of a gesture's action: calls a closure. Type-checked, not run.
///
/// The action is `select(_:)`, which every responder has: an action of its own would be `@objc`, which no other compiler than
/// that of Apple's systems takes, and nothing here could look at the rest of the file.
final class GestureAction: UIResponder {
    static let action = Selector(("select:"))
    var body: (() -> Void)?

    override func select(_ sender: Any?) { body?() }
}
#endif
