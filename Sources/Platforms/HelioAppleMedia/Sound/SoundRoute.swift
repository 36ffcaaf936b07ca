/// The present sound route: the output device, its format, and its latency.
package struct SoundRoute: Sendable, Hashable {
    /// The device's human-readable name.
    package var name: String
    /// The format that the device plays without a conversion by the system.
    package var format: DeviceSampleFormat
    /// The time from the device reading a sample until the sample is heard.
    package var latency: Duration
    /// The duration of sound that the device reads at once.
    package var cycle: Duration

    package init(name: String, format: DeviceSampleFormat, latency: Duration, cycle: Duration) {
        self.name = name
        self.format = format
        self.latency = latency
        self.cycle = cycle
    }
}
