/// The state of a screen: what a person does and what happens go in, what is to be seen and to be done comes out.
///
/// No clock and no framework: times are since any one start of a monotonic clock. After every call, ``poll()`` is drained
/// and ``screen`` drawn anew.
public protocol ScreenModel: Sendable {
    /// What a person can press.
    associatedtype Action: Hashable & Sendable
    /// What a person can write in.
    associatedtype Field: Hashable & Sendable
    /// What happens elsewhere.
    associatedtype Event: Sendable
    /// What is to be done elsewhere.
    associatedtype Effect: Hashable & Sendable

    var screen: Screen<Action, Field> { get }
    var effects: EffectQueue<Effect> { get set }
    /// When ``tick(now:)`` is to be called next; `nil` where nothing waits for a time.
    var deadline: Duration? { get }

    mutating func press(_ action: Action, now: Duration)
    mutating func edit(_ field: Field, _ text: String)
    mutating func handle(_ event: Event, now: Duration)
    mutating func tick(now: Duration)
}

extension ScreenModel {
    /// Takes what is to be done next; `nil` where there is nothing.
    public mutating func poll() -> Effect? { effects.next() }
    /// When `tick(now:)` is to be called next; `nil` where nothing waits for a time.
    public var deadline: Duration? { nil }
    /// Lets what waits for a time happen.
    public mutating func tick(now: Duration) {}
}

extension ScreenModel where Field == NoField {
    /// Takes in what a person has written.
    public mutating func edit(_ field: NoField, _ text: String) {}
}
