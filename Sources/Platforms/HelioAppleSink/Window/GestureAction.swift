#if canImport(UIKit)
internal import UIKit

/// The target of a gesture's action: calls a closure. Type-checked, not run.
///
/// The action is `select(_:)`, which every responder has: a new action would need `@objc`, which only the compilers of
/// Apple's systems accept, and the rest of the file could not be type-checked elsewhere.
final class GestureAction: UIResponder {
    static let action = Selector(("select:"))
    var body: (() -> Void)?

    override func select(_ sender: Any?) { body?() }
}
#endif
