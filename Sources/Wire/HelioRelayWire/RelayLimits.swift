/// The maximum payload sizes that a reader accepts, in bytes. Longer payloads are refused before they are buffered.
package struct RelayLimits: Sendable, Hashable {
    /// The limit of a NAL unit with its start code.
    package var nalUnit: Int
    /// The maximum size of a sound packet with its header, in bytes.
    package var sound: Int

    package init(nalUnit: Int = 4 << 20, sound: Int = 64 << 10) {
        self.nalUnit = nalUnit
        self.sound = sound
    }
}
