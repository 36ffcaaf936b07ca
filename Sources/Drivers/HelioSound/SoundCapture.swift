package import HelioCore
internal import HelioGround

/// A thread that captures and encodes the sound of one source (`SoundOrigin`) while there is demand.
package final class SoundCapture: Sendable {
    /// The callbacks of a capture; called on its thread.
    package struct Surroundings: Sendable {
        /// Called with each encoded packet.
        var submit: @Sendable (EncodedSound) -> Void
        /// Reports the device that is captured from now on; `nil` for none.
        var captured: @Sendable (_ device: String?) -> Void
        /// Reports new statistics.
        var told: @Sendable (SoundTally) -> Void
        /// Receives a note for the user; the session continues.
        var note: @Sendable (String) -> Void
        /// Returns true while captured sound must be muted.
        var isMuted: @Sendable () -> Bool

        package init(
            submit: @escaping @Sendable (EncodedSound) -> Void,
            captured: @escaping @Sendable (_ device: String?) -> Void,
            told: @escaping @Sendable (SoundTally) -> Void, note: @escaping @Sendable (String) -> Void,
            isMuted: @escaping @Sendable () -> Bool = { false }
        ) {
            self.submit = submit
            self.captured = captured
            self.told = told
            self.note = note
            self.isMuted = isMuted
        }
    }

    private let orders = NewestMailbox(SoundOrders())
    private let thread: WorkerThread

    /// Starts the thread, which sleeps until there is demand.
    ///
    /// - Parameters:
    ///   - device: the device's ID; `nil` follows the default device.
    ///   - toldFailure: the message of a failure that was reported before, and is not reported again.
    package init(
        _ origin: SoundOrigin, device: String?, of platform: any SoundPlatform, toldFailure: String? = nil,
        _ surroundings: Surroundings
    ) {
        let pipeline = SoundPipeline(
            origin, device: device, of: platform, orders: orders, toldFailure: toldFailure,
            surroundings: surroundings)
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
