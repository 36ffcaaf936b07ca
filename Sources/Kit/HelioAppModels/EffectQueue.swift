/// What a model wants done and nobody has taken yet: bounded; what comes when it is full is dropped and counted.
public struct EffectQueue<Effect: Hashable & Sendable>: Hashable, Sendable {
    /// The most that wait.
    public static var capacity: Int { 64 }

    private var effects: [Effect] = []
    /// How many were dropped.
    public private(set) var drops = 0

    /// Makes it as it is at first.
    public init() {}

    /// Adds one at the end.
    public mutating func append(_ effect: Effect) {
        if effects.count < Self.capacity { effects.append(effect) } else { drops += 1 }
    }

    /// Takes the first; `nil` where none waits.
    public mutating func next() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }
}
