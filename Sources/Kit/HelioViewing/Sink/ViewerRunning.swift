internal import HelioCore

/// A viewer's loop, with its platform's types hidden.
protocol ViewerRunning: AnyObject {
    /// The user's exchange of files; `nil` if there is none.
    var files: ViewerFiles? { get }

    /// Runs until the window is closed or the session is over. Throws the error that ended the session, unless the user
    /// ended it.
    func run() throws(HelioError)
}
