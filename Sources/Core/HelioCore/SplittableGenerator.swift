/// A generator with a state of its own, which can make others that draw other numbers than it does.
package protocol SplittableGenerator: RandomNumberGenerator, Sendable {
    /// A new one, made of a draw of this one.
    mutating func split() -> Self
}

extension SeededGenerator: SplittableGenerator {
    package mutating func split() -> Self { SeededGenerator(seed: next()) }
}

/// The generator for a part of what this one is for. A copy of a seeded one would draw the same numbers again; the
/// system's has no state, and is as good for all.
package func split(
    _ random: inout any RandomNumberGenerator & Sendable
) -> any RandomNumberGenerator & Sendable {
    guard var parent = random as? any SplittableGenerator else { return random }
    let child: any SplittableGenerator = parent.split()
    random = parent
    return child
}
