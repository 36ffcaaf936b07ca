package import HelioCore
internal import HelioLoop

/// A thread that captures one origin's sound and codes it, while somebody wants it.
package final class SoundCapture: Sendable {
    /// What it tells the rest of the program; called on its thread.
    package struct Surroundings: Sendable {
        /// Takes a packet.
        var submit: @Sendable (EncodedSound) -> Void
        /// This device is captured from now on; `nil`: none.
        var captured: @Sendable (_ device: String?) -> Void
        /// What has been done so far has changed.
        var told: @Sendable (SoundTally) -> Void
        /// Gives a note for the person; the session goes on.
        var note: @Sendable (String) -> Void
        /// True while what is captured is to be left out.
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

    private let controls = SoundControls()
    private let thread: WorkerThread

    /// Starts the thread, which sleeps until something is wanted.
    ///
    /// - Parameters:
    ///   - device: the device's ID; `nil` follows the default one.
    ///   - toldFailure: the failure that was told already.
    package init(
        _ origin: SoundOrigin, device: String?, of platform: any SoundPlatform, toldFailure: String? = nil,
        _ surroundings: Surroundings
    ) {
        let pipeline = SoundPipeline(
            origin, device: device, of: platform, controls: controls, toldFailure: toldFailure,
            surroundings: surroundings)
        thread = WorkerThread(name: "heliograph-sound") { pipeline.run() }
    }

    /// Makes these encodes from now on.
    package func demand(_ demand: SoundDemand) { controls.demand(demand) }

    /// Ends the thread, and waits until the device is let go of.
    package func stop() async {
        end()
        await thread.join()
    }

    /// Ends the thread; the device is let go of soon after.
    package func end() { controls.stop() }
}
