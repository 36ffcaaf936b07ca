/// The thresholds of gestures. Lengths are points of the view, speeds points a millisecond.
package struct GestureSettings: Hashable, Sendable {
    /// The distance that a finger may go and still rest.
    package var slop = 10.0
    /// The longest tap of two or three fingers. One finger taps until the long press.
    package var tapTime = Duration.milliseconds(300)
    /// The longest time from a tap's end to the second one's beginning.
    package var doubleTapTime = Duration.milliseconds(300)
    /// The largest distance of the second tap from the first.
    package var doubleTapSlop = 64.0
    /// The time between clicks that no system takes for a double click.
    package var clickTime = Duration.milliseconds(500)
    /// The time until a finger that rests holds the button.
    package var longPressTime = Duration.milliseconds(500)
    /// The wait for one of two fingers while the other moves.
    package var settleTime = Duration.milliseconds(50)
    /// The way of the fingers for one notch of a wheel.
    package var scrollPixels = 40.0
    /// True where the content goes with the fingers.
    package var naturalScrolling = true
    /// The speed up to which the pointer goes `slowGain` times as far as the finger.
    package var slowSpeed = 0.1
    package var slowGain = 0.5
    /// The speed from which it goes `fastGain` times as far; in between the gain is on the line between them.
    package var fastSpeed = 1.1
    package var fastGain = 2.5
    /// Pixels of the host's screen for one point of the view, without zoom.
    package var pointerScale = 1.0
    package var maximumZoom = 8.0
    package init() {}

    /// The pointer's way in relation to the finger's at that speed.
    func gain(speed: Double) -> Double {
        let share = speed <= slowSpeed ? 0 : speed >= fastSpeed ? 1 : (speed - slowSpeed) / (fastSpeed - slowSpeed)
        return slowGain + (fastGain - slowGain) * share
    }
}
