/// The longest payloads that a reader takes, in bytes. What is longer is never buffered.
package struct RelayLimits: Sendable, Hashable {
    /// A NAL unit with its start code.
    package var nalUnit: Int
    /// A packet of sound with its header.
    package var sound: Int

    package init(nalUnit: Int = 4 << 20, sound: Int = 64 << 10) {
        self.nalUnit = nalUnit
        self.sound = sound
    }
}
