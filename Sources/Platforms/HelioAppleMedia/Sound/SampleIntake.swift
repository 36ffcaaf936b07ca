package import HelioCore
internal import HelioPlayout
package import HelioSoundCodecs
private import Synchronization

/// Converts the samples of a device's or a framework's callbacks to 48 kHz stereo, and queues them.
///
/// The format may change between callbacks without a jump in pitch or time. Malformed samples are dropped and counted,
/// as are callbacks after the end, which Apple's frameworks may make.
package final class SampleIntake: Sendable {
    /// The reason why a callback's samples were dropped.
    package enum Drop: String, CaseIterable, Sendable {
        /// The callback was made after the capture had ended.
        case late = "late-callback"
        /// The samples don't match their format, or the format is unknown.
        case malformed = "malformed-samples"
    }

    private struct State {
        var isOpen = true
        var format: DeviceSampleFormat?
        /// `nil` if the samples have 48 kHz.
        var resampler: SoundResampler?
        var drops = DropCounter<Drop>()
    }

    private let state = Mutex(State())
    private let queue: CaptureQueue

    package init(_ queue: CaptureQueue) { self.queue = queue }

    package var drops: DropCounter<Drop> { state.withLock { $0.drops } }

    /// Handles the samples of one callback. Callable from any thread, but one at a time.
    ///
    /// - Parameters:
    ///   - planes: the buffers, used only during this call.
    ///   - format: the layout; `nil` if it is unknown.
    ///   - captured: the time at which the device captured the first sample, or the app played it.
    package func take(
        _ planes: [UnsafeRawBufferPointer], _ format: DeviceSampleFormat?, captured: Instant
    ) {
        let block: SoundBlock? = state.withLock { state in
            guard state.isOpen else {
                state.drops.count(.late)
                return nil
            }
            guard let format, let samples = SampleReader.stereo(planes, format) else {
                state.drops.count(.malformed)
                return nil
            }
            if format != state.format { Self.adopt(format, &state) }
            var delay = Duration.zero
            var converted = samples
            if state.resampler != nil {
                let pending = state.resampler?.pending ?? 0
                delay = .nanoseconds(Int64(pending / Double(format.sampleRate) * 1e9))
                converted = state.resampler?.convert(samples) ?? []
            }
            guard !converted.isEmpty else { return nil }
            return SoundBlock(format: .standard, samples: converted, captured: captured - delay)
        }
        if let block { queue.put(.sound(block)) }
    }

    /// Makes later callbacks count as late; their samples are dropped.
    package func close() { state.withLock { $0.isOpen = false } }

    /// Accepts samples again after `close`, in any format.
    package func reopen() {
        state.withLock { state in
            state.isOpen = true
            state.format = nil
        }
    }

    private static func adopt(_ format: DeviceSampleFormat, _ state: inout State) {
        let standard = SoundFormat.standard
        let isOfSameRate = format.sampleRate == state.format?.sampleRate
        state.format = format
        if isOfSameRate { return }
        state.resampler =
            format.sampleRate == standard.sampleRate
            ? nil : SoundResampler(from: format.sampleRate, to: standard.sampleRate, channels: standard.channels)
    }
}
