package import HelioCore

/// A digest (FNV-1a) of a simulation's output, to check that two runs with the same seed are identical.
package struct SeedTrace {
    package private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    package private(set) var count = 0

    package init() {}

    package mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        count += 1
    }

    package mutating func add(_ text: String) { add(Array(text.utf8)) }

    package mutating func add(_ instant: Instant) {
        add((0..<8).map { UInt8(truncatingIfNeeded: instant.nanoseconds >> ($0 * 8)) })
    }

    /// Returns the line that `ReproducibilityTests` parses in a process's output.
    package func line(_ world: String) -> String { "SEED-TRACE \(world) \(digest) \(count)" }
}
