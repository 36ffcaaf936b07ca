/// The table of what makes a gesture. Lengths are points of the view, speeds points a millisecond.
package struct GestureSettings: Hashable, Sendable {
    /// So far a finger may go and still rest.
    package var slop = 10.0
    /// A tap of two or three fingers lasts no longer. One finger taps until the long press.
    package var tapTime = Duration.milliseconds(300)
    /// From a tap's end to the second one's beginning.
    package var doubleTapTime = Duration.milliseconds(300)
    /// How far from the first tap the second may be.
    package var doubleTapSlop = 64.0
    /// Two clicks this far apart are a double click nowhere.
    package var clickTime = Duration.milliseconds(500)
    /// Until a finger that rests holds the button.
    package var longPressTime = Duration.milliseconds(500)
    /// How long one of two fingers is waited for while the other moves.
    package var settleTime = Duration.milliseconds(50)
    /// Of the fingers, for one notch of a wheel.
    package var scrollPixels = 40.0
    /// The content goes with the fingers.
    package var naturalScrolling = true
    /// The pointer goes `slowGain` times as far as a finger that is no faster than `slowSpeed`, ...
    package var slowSpeed = 0.1
    package var slowGain = 0.5
    /// ... `fastGain` times as far as one no slower than `fastSpeed`, and in between on the line between them.
    package var fastSpeed = 1.1
    package var fastGain = 2.5
    /// Pixels of the host's screen for one point of the view, without zoom.
    package var pointerScale = 1.0
    package var maximumZoom = 8.0
    package init() {}

    /// How far the pointer goes for a finger of that speed.
    func gain(speed: Double) -> Double {
        let share = speed <= slowSpeed ? 0 : speed >= fastSpeed ? 1 : (speed - slowSpeed) / (fastSpeed - slowSpeed)
        return slowGain + (fastGain - slowGain) * share
    }
}
