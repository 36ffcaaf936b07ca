package import HelioCore

/// A stream of samples from a device, into the intake that it was made with: the shim over a capture. All calls come on
/// its runner.
package protocol SampleSource: AnyObject, Sendable {
    /// The device's name, for people.
    var deviceName: String { get }
    func start() throws(HelioError)
    /// Stops the stream; callbacks under way may still deliver samples.
    func stop()
}
