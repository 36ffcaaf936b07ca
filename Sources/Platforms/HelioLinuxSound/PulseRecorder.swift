internal import CPulse
internal import HelioCore
internal import HelioGround
internal import HelioSoundCodecs

/// Records from a device of the sound server into a queue, and follows the default device. It runs on the connection's
/// thread.
///
/// The stream has the flag DONT_MOVE, as the server would otherwise move it to a microphone when an output disappears.
final class PulseRecorder: PulseUser {
    /// The result of the first attempt to record.
    enum Outcome {
        case recording(String)
        case noDevice
        case failed(String)
    }

    /// The duration of sound that the server collects before it delivers it.
    private static let fragment = Duration.milliseconds(5)
    /// The maximum duration of sound that the server buffers if this thread is late.
    private static let kept = Duration.seconds(1)
    private static let retryPause = Duration.milliseconds(500)

    private unowned let client: PulseClient
    private let origin: SoundOrigin
    /// The requested device's name; `nil` for the default device.
    private let wanted: String?
    private let queue: CaptureQueue
    private(set) var outcome: Outcome?

    private var stream: OpaquePointer?
    private var device: PulseDevice?
    private var isLost = false
    private lazy var search = PulseDeviceSearch(client, origin == .system ? .sink : .source) { [unowned self] in
        choose($0)
    }
    private var time = PulseStreamTime(isPlayback: false)
    /// The number of sample frames that the stream has delivered.
    private var position: Int64 = 0
    private var lastCaptured = Instant.zero

    init(_ client: PulseClient, origin: SoundOrigin, device: String?, queue: CaptureQueue) {
        self.client = client
        self.origin = origin
        wanted = device
        self.queue = queue
    }

    func connected() { look() }

    func disconnected() {
        search.cancel()
        dropStream()
        lose(.failed("The sound server is gone."))
    }

    func devicesChanged() { look() }

    /// Finds the device to capture, and starts to capture it if it is not the present one.
    private func look() { search.begin() }

    private func choose(_ reply: PulseReply) {
        let name = wanted ?? (origin == .system ? reply.defaultSink : reply.defaultSource)
        let found = reply.devices.first { $0.name == name }
        // The default source of a machine without a microphone is an output's monitor, which must not be used as one.
        guard let found, wanted != nil || !(found.isMonitor || found.isOurs) else {
            dropStream()
            lose(.noDevice)
            return
        }
        if stream == nil || device?.index != found.index { record(found) }
    }

    private func record(_ device: PulseDevice) {
        dropStream()
        guard let context = client.context,
            let stream = PulseStreamFormat.makeStream(context, origin == .system ? "Shared sound" : "Shared microphone")
        else { return }
        self.stream = stream
        self.device = device
        position = 0
        time.reset()
        let itself = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_state_callback(stream, { PulseRecorder.of($1).stateChanged($0) }, itself)
        pa_stream_set_read_callback(stream, { stream, _, itself in PulseRecorder.of(itself).read(stream) }, itself)
        pa_stream_set_latency_update_callback(stream, { PulseRecorder.of($1).timingCame($0) }, itself)
        pa_stream_set_suspended_callback(stream, { PulseRecorder.of($1).restarted($0) }, itself)
        var attributes = pa_buffer_attr(
            maxlength: PulseStreamFormat.bytes(Self.kept), tlength: UInt32.max, prebuf: UInt32.max,
            minreq: UInt32.max, fragsize: PulseStreamFormat.bytes(Self.fragment))
        // Let the server suspend an output to which no program plays, although it is captured.
        let flags =
            PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_DONT_MOVE.rawValue
            | (origin == .system ? PA_STREAM_DONT_INHIBIT_AUTO_SUSPEND.rawValue : 0)
        if pa_stream_connect_record(stream, device.captured, &attributes, pa_stream_flags_t(rawValue: flags)) < 0 {
            fail()
        }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> PulseRecorder {
        Unmanaged<PulseRecorder>.fromOpaque(context!).takeUnretainedValue()
    }

    private func stateChanged(_ changed: OpaquePointer?) {
        guard let stream, changed == stream else { return }
        switch pa_stream_get_state(stream) {
        case PA_STREAM_READY:
            time.ask(stream)
            let name = device?.description ?? ""
            if outcome == nil {
                outcome = .recording(name)
                client.signal()
            } else {
                queue.put(.device(name))
            }
            isLost = false
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED: fail()
        default: break
        }
    }

    /// Handles the end of a stream, as its device was lost or does not allow capture; tries again later.
    private func fail() {
        let reason = client.context.map { PulseClient.text(pa_context_errno($0)) } ?? ""
        dropStream()
        lose(.failed("The sound server does not let it be captured: \(reason)."))
        client.after(Self.retryPause) { [weak self] in self?.look() }
    }

    /// Reports that capture has failed or was lost. The first attempt reports `outcome`; later, `.lost` is queued, once
    /// per loss.
    private func lose(_ outcome: Outcome) {
        if self.outcome == nil {
            self.outcome = outcome
            client.signal()
        } else if !isLost {
            queue.put(.lost)
        }
        isLost = true
    }

    private func dropStream() {
        guard let stream else { return }
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_read_callback(stream, nil, nil)
        pa_stream_set_latency_update_callback(stream, nil, nil)
        pa_stream_set_suspended_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
        self.stream = nil
        device = nil
    }

    // MARK: Sound

    private func read(_ changed: OpaquePointer?) {
        guard let stream, changed == stream else { return }
        while true {
            var data: UnsafeRawPointer?
            var count = 0
            guard pa_stream_peek(stream, &data, &count) >= 0, count > 0 else { break }
            let frames = count / PulseStreamFormat.frameBytes
            if frames > 0 { put(data, frames) }
            pa_stream_drop(stream)
        }
        time.askWhenDue(stream)
    }

    /// Queues samples with their capture time.
    ///
    /// - Parameter data: the samples; `nil` for a gap in the stream, which becomes silence.
    private func put(_ data: UnsafeRawPointer?, _ frames: Int) {
        let format = SoundFormat.standard
        let count = frames * format.channels
        let samples =
            data.map { [Float](UnsafeBufferPointer(start: $0.assumingMemoryBound(to: Float.self), count: count)) }
            ?? [Float](repeating: 0, count: count)
        var captured =
            time.isKnown ? time.instant(of: position) : MonotonicClock.now - format.duration(ofFrames: frames)
        // Capture times must not decrease, but those of the stream clock may after it was reset.
        captured = max(captured, lastCaptured)
        lastCaptured = captured
        position += Int64(frames)
        queue.put(.sound(SoundBlock(format: format, samples: samples, captured: captured)))
    }

    private func timingCame(_ changed: OpaquePointer?) {
        guard let stream, changed == stream else { return }
        time.take(stream)
    }

    /// Resets the stream's timing after the device was suspended or resumed, as its clock has stopped in between.
    private func restarted(_ changed: OpaquePointer?) {
        guard let stream, changed == stream else { return }
        time.restart(stream)
    }
}
