internal import CPulse
internal import HelioCore
internal import HelioGround
private import Synchronization

/// Plays a renderer's sound on a device of the sound server. It runs on the connection's thread.
///
/// The server itself moves a stream when the default device changes or the stream's device disappears.
final class PulsePlayer: PulseUser {
    /// The device on which to play.
    enum Target {
        case standard
        case device(String)
        case microphone(VirtualMicrophone)
    }

    /// The result of the first attempt to play.
    enum Outcome {
        case playing
        case noDevice
        case failed(String)
    }

    /// The state that other threads may read. `latency` is the time from writing a sample until it is heard;
    /// `underruns` is their number since the start.
    struct Status {
        var deviceName = ""
        var latency = Duration.zero
        var underruns: UInt64 = 0
        var state = SoundOutputState.lost
    }

    /// The minimum duration of sound that the server requests at a time.
    private static let request = Duration.milliseconds(5)
    /// The initial duration of the buffer between the renderer and the loudspeakers. Each underrun adds `bufferStep`,
    /// up to `mostBuffer`.
    private static let leastBuffer = Duration.milliseconds(15)
    private static let mostBuffer = Duration.milliseconds(60)
    private static let bufferStep = Duration.milliseconds(5)
    /// The time after an underrun during which further underruns do not enlarge the buffer.
    private static let underrunPause = Duration.milliseconds(500)
    private static let retryPause = Duration.milliseconds(500)

    private unowned let client: PulseClient
    private let target: Target
    private let render: SoundRenderer
    private let status = Mutex(Status())
    private(set) var outcome: Outcome?

    private var stream: OpaquePointer?
    private lazy var search = PulseDeviceSearch(client, .sink) { [unowned self] in choose($0) }
    private var buffer = leastBuffer
    private var lastUnderrun = Instant.zero
    private var hasRendered = false
    private var time = PulseStreamTime(isPlayback: true)
    /// The number of sample frames written to the stream.
    private var position: Int64 = 0

    init(_ client: PulseClient, _ target: Target, render: @escaping SoundRenderer) {
        self.client = client
        self.target = target
        self.render = render
    }

    /// A snapshot of the state, for any thread.
    var current: Status { status.withLock { $0 } }

    func connected() {
        guard case .microphone(let microphone) = target else { return look() }
        microphone.install(client) { [unowned self] reason in
            if let reason {
                fail(reason)
            } else {
                play(microphone.sinkName, name: microphone.name)
            }
        }
    }

    func disconnected() {
        search.cancel()
        dropStream()
        lose(.failed("The sound server is gone."))
    }

    func devicesChanged() {
        if case .microphone = target { return }
        look()
    }

    /// Finds the device on which to play, or the default device if it is missing, and stores its name for display.
    private func look() { search.begin() }

    private func choose(_ reply: PulseReply) {
        var found: PulseDevice?
        if case .device(let name) = target {
            found = reply.devices.first { $0.name == name }
            if found == nil, outcome == nil { return lose(.noDevice) }
        }
        if let stream {
            guard pa_stream_get_state(stream) == PA_STREAM_READY else { return }
            let index = pa_stream_get_device_index(stream)
            if let found, found.index != index, let context = client.context {
                // The requested device is available again, so move the stream to it.
                PulseClient.forget(
                    pa_context_move_sink_input_by_index(
                        context, pa_stream_get_index(stream), found.index, nil, nil))
            }
            if let device = reply.devices.first(where: { $0.index == index }) {
                status.withLock { $0.deviceName = device.description }
            }
            return
        }
        guard let device = found ?? reply.devices.first(where: { $0.name == reply.defaultSink }) else {
            return lose(.noDevice)
        }
        play(found?.name, name: device.description)
    }

    /// Makes a playback stream.
    ///
    /// - Parameter device: the sink's name; `nil` to follow the default sink when that changes.
    private func play(_ device: String?, name: String) {
        dropStream()
        guard let context = client.context, let stream = PulseStreamFormat.makeStream(context, "Shared sound") else {
            return
        }
        self.stream = stream
        status.withLock { $0.deviceName = name }
        position = 0
        hasRendered = false
        time.reset()
        let itself = Unmanaged.passUnretained(self).toOpaque()
        pa_stream_set_state_callback(stream, { PulsePlayer.of($1).stateChanged($0) }, itself)
        pa_stream_set_write_callback(stream, { PulsePlayer.of($2).write($0, $1) }, itself)
        pa_stream_set_latency_update_callback(stream, { PulsePlayer.of($1).timingCame($0) }, itself)
        pa_stream_set_underflow_callback(stream, { PulsePlayer.of($1).ranOut($0) }, itself)
        pa_stream_set_suspended_callback(stream, { PulsePlayer.of($1).restarted($0) }, itself)
        pa_stream_set_moved_callback(
            stream,
            {
                PulsePlayer.of($1).restarted($0)
                PulsePlayer.of($1).devicesChanged()
            }, itself)
        var attributes = attributes()
        var flags = PA_STREAM_ADJUST_LATENCY.rawValue
        if case .microphone = target { flags |= PA_STREAM_DONT_MOVE.rawValue }
        if pa_stream_connect_playback(stream, device, &attributes, pa_stream_flags_t(rawValue: flags), nil, nil) < 0 {
            fail(PulseClient.text(pa_context_errno(context)))
        }
    }

    /// Returns the buffer settings of the stream. With `prebuf` 0, playback starts immediately and does not stop at an
    /// underrun, so the stream's time continues even if the renderer is late.
    private func attributes() -> pa_buffer_attr {
        pa_buffer_attr(
            maxlength: PulseStreamFormat.bytes(.seconds(1)), tlength: PulseStreamFormat.bytes(buffer), prebuf: 0,
            minreq: PulseStreamFormat.bytes(Self.request), fragsize: UInt32.max)
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> PulsePlayer {
        Unmanaged<PulsePlayer>.fromOpaque(context!).takeUnretainedValue()
    }

    private func stateChanged(_ changed: OpaquePointer?) {
        guard let stream, changed == stream else { return }
        switch pa_stream_get_state(stream) {
        case PA_STREAM_READY:
            time.ask(stream)
            status.withLock { $0.state = .playing }
            if outcome == nil {
                outcome = .playing
                client.signal()
            }
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
            fail(client.context.map { PulseClient.text(pa_context_errno($0)) } ?? "")
        default: break
        }
    }

    /// Handles the end of a stream, as its device was lost or does not allow playback; tries again later.
    private func fail(_ reason: String) {
        dropStream()
        lose(.failed("The sound server does not let it be played: \(reason)."))
        client.after(Self.retryPause) { [weak self] in self?.tryAgain() }
    }

    private func tryAgain() {
        if client.isConnected, stream == nil { connected() }
    }

    private func lose(_ outcome: Outcome) {
        status.withLock { $0.state = .lost }
        if self.outcome == nil {
            self.outcome = outcome
            client.signal()
        }
    }

    private func dropStream() {
        guard let stream else { return }
        pa_stream_set_state_callback(stream, nil, nil)
        pa_stream_set_write_callback(stream, nil, nil)
        pa_stream_set_latency_update_callback(stream, nil, nil)
        pa_stream_set_underflow_callback(stream, nil, nil)
        pa_stream_set_suspended_callback(stream, nil, nil)
        pa_stream_set_moved_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
        self.stream = nil
    }

    // MARK: Sound

    private func write(_ changed: OpaquePointer?, _ wanted: Int) {
        guard let stream, changed == stream else { return }
        var left = wanted
        while left >= PulseStreamFormat.frameBytes {
            var data: UnsafeMutableRawPointer?
            var count = left
            guard pa_stream_begin_write(stream, &data, &count) >= 0, let data else { break }
            count = min(count, left)
            let frames = count / PulseStreamFormat.frameBytes
            guard frames > 0 else {
                pa_stream_cancel_write(stream)
                break
            }
            fill(data, frames)
            let bytes = frames * PulseStreamFormat.frameBytes
            guard pa_stream_write(stream, data, bytes, nil, 0, PA_SEEK_RELATIVE) >= 0 else { break }
            position += Int64(frames)
            left -= bytes
        }
        time.askWhenDue(stream)
    }

    /// Writes rendered sound; writes silence until the server has reported its playback timing.
    private func fill(_ data: UnsafeMutableRawPointer, _ frames: Int) {
        let count = frames * SoundFormat.standard.channels
        let samples = UnsafeMutableBufferPointer(start: data.bindMemory(to: Float.self, capacity: count), count: count)
        samples.initialize(repeating: 0)
        guard time.isKnown else { return }
        hasRendered = true
        let heard = time.instant(of: position)
        let latency = heard - MonotonicClock.now
        status.withLock { $0.latency = latency }
        var span = samples.mutableSpan
        render(&span, heard)
    }

    private func timingCame(_ changed: OpaquePointer?) {
        guard let stream, changed == stream else { return }
        time.take(stream)
    }

    /// Resets the stream's timing after the device was suspended, resumed or replaced.
    private func restarted(_ changed: OpaquePointer?) {
        guard let stream, changed == stream else { return }
        hasRendered = false
        time.restart(stream)
    }

    /// Handles an underrun: counts it, and enlarges the buffer.
    private func ranOut(_ changed: OpaquePointer?) {
        guard let stream, changed == stream, hasRendered else { return }
        status.withLock { $0.underruns += 1 }
        let now = MonotonicClock.now
        guard now - lastUnderrun > Self.underrunPause else { return }
        lastUnderrun = now
        guard buffer < Self.mostBuffer else { return }
        buffer = min(buffer + Self.bufferStep, Self.mostBuffer)
        var attributes = attributes()
        PulseClient.forget(pa_stream_set_buffer_attr(stream, &attributes, nil, nil))
    }
}
