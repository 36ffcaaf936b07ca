/// The present route of sound: the device, its format, and its latency.
package struct SoundRoute: Sendable, Hashable {
    /// The device's name, for people.
    package var name: String
    /// The format that the device plays without a conversion by the system.
    package var format: DeviceSampleFormat
    /// The time between the device taking a sample and the sample being heard.
    package var latency: Duration
    /// The duration of sound that the device takes at once.
    package var cycle: Duration

    package init(name: String, format: DeviceSampleFormat, latency: Duration, cycle: Duration) {
        self.name = name
        self.format = format
        self.latency = latency
        self.cycle = cycle
    }
}
