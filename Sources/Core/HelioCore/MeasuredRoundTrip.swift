/// A round trip, and which of the measurements of it this is.
package struct MeasuredRoundTrip: Sendable, Hashable {
    package var time: Duration
    package var number: Int

    package init(time: Duration, number: Int) {
        self.time = time
        self.number = number
    }
}
