/// A small, fast, seeded generator (SplitMix64) for reproducible uses: simulation, tests, fuzzing.
///
/// The generator is not suitable for cryptography: keys, nonces and secrets are drawn from the driver's secure
/// generator.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Draws a number from the uniform distribution over 0 ..< 1.
    package mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }
}

/// A random number generator with its own state, from which further generators with different numbers can be created.
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
