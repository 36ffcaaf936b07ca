/// A model's bounded queue of effects. Effects beyond its capacity are dropped and counted.
public struct EffectQueue<Effect: Hashable & Sendable>: Hashable, Sendable {
    /// The maximum number of queued effects.
    public static var capacity: Int { 64 }

    private var effects: [Effect] = []
    /// The number of dropped effects.
    public private(set) var drops = 0

    /// Makes an empty queue.
    public init() {}

    /// Appends an effect, or counts it as dropped if the queue is full.
    public mutating func append(_ effect: Effect) {
        if effects.count < Self.capacity { effects.append(effect) } else { drops += 1 }
    }

    /// Removes and returns the first effect; `nil` if there is none.
    public mutating func next() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }
}
