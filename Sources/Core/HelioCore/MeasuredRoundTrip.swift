/// A measured round-trip time with the serial number of its measurement.
package struct MeasuredRoundTrip: Sendable, Hashable {
    package var time: Duration
    package var number: Int

    package init(time: Duration, number: Int) {
        self.time = time
        self.number = number
    }
}
