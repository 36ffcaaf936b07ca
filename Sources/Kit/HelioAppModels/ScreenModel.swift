/// The state of a screen: the user's actions and events go in, a screen to draw and effects come out.
///
/// It uses no clock and no framework; times are on a monotonic clock with any origin. After every call, ``poll()`` has
/// to be drained and ``screen`` drawn again.
public protocol ScreenModel: Sendable {
    /// The user's actions.
    associatedtype Action: Hashable & Sendable
    /// The text fields.
    associatedtype Field: Hashable & Sendable
    /// The events from the app.
    associatedtype Event: Sendable
    /// The effects for the app.
    associatedtype Effect: Hashable & Sendable

    var screen: Screen<Action, Field> { get }
    var effects: EffectQueue<Effect> { get set }
    /// The time of the next necessary call of ``tick(now:)``; `nil` for none.
    var deadline: Duration? { get }

    mutating func press(_ action: Action, now: Duration)
    mutating func edit(_ field: Field, _ text: String)
    mutating func handle(_ event: Event, now: Duration)
    mutating func tick(now: Duration)
}

extension ScreenModel {
    /// Removes and returns the next effect; `nil` if there is none.
    public mutating func poll() -> Effect? { effects.next() }
    /// Always `nil`: a model without deadlines.
    public var deadline: Duration? { nil }
    /// Does nothing: a model without deadlines.
    public mutating func tick(now: Duration) {}
}

extension ScreenModel where Field == NoField {
    /// Does nothing: a screen without text fields.
    public mutating func edit(_ field: NoField, _ text: String) {}
}
