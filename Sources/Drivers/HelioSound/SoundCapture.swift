package import HelioCore
internal import HelioGround

/// A thread that captures and encodes the sound of one source (`SoundOrigin`) while there is demand.
package final class SoundCapture: Sendable {
    private let orders = NewestMailbox(SoundOrders())
    private let thread: WorkerThread

    /// Starts the thread, which sleeps until there is demand.
    ///
    /// - Parameters:
    ///   - device: the device's ID; `nil` follows the default device.
    ///   - toldFailure: the message of a failure that was reported before, and is not reported again.
    ///   - owner: kept alive until the thread has ended.
    package init(
        _ origin: SoundOrigin, device: String?, of platform: any SoundPlatform, toldFailure: String? = nil,
        for owner: any SoundCaptureOwner
    ) {
        let pipeline = SoundPipeline(
            origin, device: device, of: platform, orders: orders, toldFailure: toldFailure, owner: owner)
        thread = WorkerThread(name: "heliograph-sound") { pipeline.run() }
    }

    /// Sets the codecs and bitrates to encode from now on.
    package func demand(_ demand: SoundDemand) { orders.give { $0.demand = demand } }

    /// Ends the thread, and waits until the device is closed.
    package func stop() async {
        end()
        await thread.join()
    }

    /// Ends the thread; the device is closed soon after.
    package func end() { orders.give { $0.stop = true } }
}
