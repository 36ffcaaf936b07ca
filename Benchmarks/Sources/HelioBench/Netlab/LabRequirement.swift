/// What a network of the laboratory requires.
///
/// What has to hold from some instant on is judged by the second after it.
enum LabRequirement: Sendable {
    /// The least utilisation.
    case utilisation(Double)
    /// The most that 95 of 100 packets may wait at the bottleneck.
    case queue(Duration)
    /// The largest share of the time in which the picture is too old.
    case frozen(Double)
    /// The longest time to the first picture.
    case firstPicture(Duration)
    /// The longest time from a key to its picture, for 95 of 100.
    case keystroke(Duration)
    /// The longest time from capturing a picture to having all of it, for 95 of 100.
    case latency(Duration)
    /// The most that may be sent in a second after a time, as a share of the capacity.
    case overshoot(Double, after: Duration)
    /// The capacity falls at `at`: the rate is down to it, and at most a tenth above, within so long.
    case rateDown(at: Duration, within: Duration)
    /// The queue, which came of that, is drained to this wait within so long.
    case drained(at: Duration, within: Duration, to: Duration)
    /// This share of the rate of the three seconds before `former` is there again so long after `from`.
    case rateBack(former: Duration, from: Duration, within: Duration, share: Double)
    /// The bounds of the first flow's share of all that is delivered after a time.
    case share(ClosedRange<Double>, after: Duration)
    /// The least share of what the same network delivers without jitter.
    case rateOfReference(Double)
    /// The longest delay of a picture, for 95 of 100, on top of what it is without jitter.
    case delayOverReference(Duration)
}
