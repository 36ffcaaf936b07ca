internal import HelioCore

/// A viewer's loop, with its platform's types hidden.
protocol ViewerRunning: AnyObject {
    /// Runs until the window is closed or the session is over; throws the error where the person did not end it.
    func run() throws(HelioError)
}
