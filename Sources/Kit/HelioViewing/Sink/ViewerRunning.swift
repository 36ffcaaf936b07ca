internal import HelioCore

/// A viewer on a platform of which its owner knows nothing.
protocol ViewerRunning: AnyObject {
    /// Runs until the window is closed or the session is over; throws why when it was not the person's wish.
    func run() throws(HelioError)
}
