package import HelioCore

/// A clock, and a wait that another thread can end: the shim that lets tests run on virtual time.
package protocol CaptureWaiting: AnyObject, Sendable {
    var now: Instant { get }
    /// Ends the wait that is going on, or the next one. Any thread.
    func signal()
    /// Waits for `signal` or until `until`. May return early.
    func wait(until: Instant?)
}
