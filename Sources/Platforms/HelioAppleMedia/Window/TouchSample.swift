/// One of the samples that a finger or pen gives between two refreshes of the display.
package struct TouchSample: Sendable, Hashable {
    package var point: ViewPoint
    package var force: Double
    /// The force that counts as a pressure of 1; 0 if the device measures no force.
    package var mostForce: Double

    package init(point: ViewPoint, force: Double, mostForce: Double) {
        self.point = point
        self.force = force
        self.mostForce = mostForce
    }

    /// 0 ... 1; a touch of a device that measures no force has 1.
    package var pressure: Double {
        guard mostForce > 0, force.isFinite, mostForce.isFinite else { return 1 }
        return min(1, max(0, force / mostForce))
    }
}
