/// A requirement on a network's run.
///
/// Conditions from an instant on are evaluated in the second after it.
enum LabRequirement: Sendable {
    /// The least utilisation.
    case utilisation(Double)
    /// The largest 95th percentile of the queuing delay at the bottleneck.
    case queue(Duration)
    /// The largest share of the time with a frozen picture.
    case frozen(Double)
    /// The longest time to the first picture.
    case firstPicture(Duration)
    /// The largest 95th percentile of the time from a key press to its picture.
    case keystroke(Duration)
    /// The largest 95th percentile of the time from capturing a picture to receiving all of it.
    case latency(Duration)
    /// The largest ratio of sent bits to capacity in any second after a time.
    case overshoot(Double, after: Duration)
    /// The capacity falls at `at`: within this time the rate is at most a tenth above it.
    case rateDown(at: Duration, within: Duration)
    /// The queue caused by that fall is drained to this delay within this time.
    case drained(at: Duration, within: Duration, to: Duration)
    /// This share of the rate in the three seconds before `former` is reached again within this time after `from`.
    case rateBack(former: Duration, from: Duration, within: Duration, share: Double)
    /// The bounds of the first flow's share of everything delivered after a time.
    case share(ClosedRange<Double>, after: Duration)
    /// The least ratio of the delivered rate to that without jitter.
    case rateOfReference(Double)
    /// The largest 95th percentile of picture delays in excess of that without jitter.
    case delayOverReference(Duration)
}
