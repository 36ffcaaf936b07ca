/// A sample of a touch by finger or pen; there may be several between two refreshes of the display.
package struct TouchSample: Sendable, Hashable {
    package var point: ViewPoint
    package var force: Double
    /// The force that corresponds to a pressure of 1; 0 if the device does not measure force.
    package var mostForce: Double

    package init(point: ViewPoint, force: Double, mostForce: Double) {
        self.point = point
        self.force = force
        self.mostForce = mostForce
    }

    /// The pressure, 0 ... 1; 1 if the device does not measure force.
    package var pressure: Double {
        guard mostForce > 0, force.isFinite, mostForce.isFinite else { return 1 }
        return min(1, max(0, force / mostForce))
    }
}
