internal import HelioCore

/// A viewer's loop, with its platform's types hidden.
protocol ViewerRunning: AnyObject {
    /// The person's files; `nil` where none go either way.
    var files: ViewerFiles? { get }

    /// Runs until the window is closed or the session is over; throws the error where the person did not end it.
    func run() throws(HelioError)
}
