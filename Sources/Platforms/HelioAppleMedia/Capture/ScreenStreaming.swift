/// A capture stream of the system: the shim that ScreenCaptureKit or ReplayKit fills.
///
/// Calls return at once; what becomes of them is told to `receive`, on any thread and even after `stop`.
package protocol ScreenStreaming: AnyObject {
    associatedtype Buffer: Sendable

    /// Starts to capture. Each event is told with the generation of the settings that it was started by.
    func start(_ settings: StreamSettings, receive: @escaping @Sendable (StreamEvent<Buffer>, Int) -> Void)
    /// Changes size, rate or format of the running stream.
    func update(_ settings: StreamSettings)
    func stop()
    /// The displays there are now; empty where there are none, or nothing of them can be known.
    func displays() -> [DisplayInfo]
}
