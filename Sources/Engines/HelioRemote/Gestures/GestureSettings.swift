/// The thresholds of gestures. Lengths are in points of the view, speeds in points per millisecond.
package struct GestureSettings: Hashable, Sendable {
    /// The distance up to which a finger that moves still counts as at rest.
    package var slop = 10.0
    /// The maximum duration of a tap with two or three fingers; for one finger, `longPressTime` is the limit.
    package var tapTime = Duration.milliseconds(300)
    /// The maximum time from the end of a tap to the beginning of a second tap.
    package var doubleTapTime = Duration.milliseconds(300)
    /// The largest distance of the second tap from the first.
    package var doubleTapSlop = 64.0
    /// The minimum time between two clicks at which no system takes them for a double click.
    package var clickTime = Duration.milliseconds(500)
    /// The time after which a resting finger presses the button.
    package var longPressTime = Duration.milliseconds(500)
    /// The maximum time for which only one of two fingers may move before the gesture is classified.
    package var settleTime = Duration.milliseconds(50)
    /// The distance of finger movement for one notch of a wheel.
    package var scrollPixels = 40.0
    /// True if the content moves in the direction of the fingers.
    package var naturalScrolling = true
    /// The speed up to which the gain is `slowGain`; the gain is the ratio of pointer to finger movement.
    package var slowSpeed = 0.1
    package var slowGain = 0.5
    /// The minimum speed at which the gain is `fastGain`; between `slowSpeed` and `fastSpeed` it is interpolated
    /// linearly.
    package var fastSpeed = 1.1
    package var fastGain = 2.5
    /// The pixels of the host's screen per point of the view, without zoom.
    package var pointerScale = 1.0
    package var maximumZoom = 8.0
    package init() {}

    /// The ratio of pointer to finger movement at a speed.
    func gain(speed: Double) -> Double {
        let share = speed <= slowSpeed ? 0 : speed >= fastSpeed ? 1 : (speed - slowSpeed) / (fastSpeed - slowSpeed)
        return slowGain + (fastGain - slowGain) * share
    }
}
