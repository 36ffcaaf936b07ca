/// The way that sound goes now: the device, what it takes, and how long it takes it.
package struct SoundRoute: Sendable, Hashable {
    /// The device's name, for people.
    package var name: String
    /// What the device plays, without a conversion of the system's.
    package var format: DeviceSampleFormat
    /// From the moment that the device takes a sample until it is heard.
    package var latency: Duration
    /// How much the device takes at once.
    package var cycle: Duration

    package init(name: String, format: DeviceSampleFormat, latency: Duration, cycle: Duration) {
        self.name = name
        self.format = format
        self.latency = latency
        self.cycle = cycle
    }
}
