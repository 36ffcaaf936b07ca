/// A capture stream of the system: the shim over ScreenCaptureKit or ReplayKit.
///
/// Calls return at once; `receive` gets their outcome and the events, on any thread, and even after `stop`.
package protocol ScreenStreaming: AnyObject {
    associatedtype Buffer: Sendable

    /// Starts to capture. Each event is reported with the generation of the settings of its start.
    func start(_ settings: StreamSettings, receive: @escaping @Sendable (StreamEvent<Buffer>, Int) -> Void)
    /// Changes size, rate or format of the running stream.
    func update(_ settings: StreamSettings)
    func stop()
    /// The present displays; empty if there are none, or they can't be listed.
    func displays() -> [DisplayInfo]
}
