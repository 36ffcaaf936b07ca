/// A generator with its own state, which can create others that draw different numbers.
package protocol SplittableGenerator: RandomNumberGenerator, Sendable {
    /// Creates a new generator, seeded with a number drawn from this generator.
    mutating func split() -> Self
}

extension SeededGenerator: SplittableGenerator {
    package mutating func split() -> Self { SeededGenerator(seed: next()) }
}

/// Returns the generator for a component. A copy of a seeded generator would draw the same numbers again, so it is
/// split; the system's generator has no state and can be shared.
package func split(
    _ random: inout any RandomNumberGenerator & Sendable
) -> any RandomNumberGenerator & Sendable {
    guard var parent = random as? any SplittableGenerator else { return random }
    let child: any SplittableGenerator = parent.split()
    random = parent
    return child
}
