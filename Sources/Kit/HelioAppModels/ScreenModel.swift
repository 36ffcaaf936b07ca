/// The state machine of a screen: its inputs are the user's actions and the app's events, its outputs a screen to draw
/// and effects.
///
/// A model uses no clock and no framework; times are on a monotonic clock with any origin. After every call, the caller
/// has to call ``poll()`` until it returns `nil`, and draw ``screen`` again.
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
    /// The default implementation, for a model without deadlines: always `nil`.
    public var deadline: Duration? { nil }
    /// The default implementation, for a model without deadlines: does nothing.
    public mutating func tick(now: Duration) {}
}

extension ScreenModel where Field == NoField {
    /// The implementation for a screen without text fields: does nothing.
    public mutating func edit(_ field: NoField, _ text: String) {}
}
