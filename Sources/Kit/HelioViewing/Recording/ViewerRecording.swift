internal import HelioCore
private import HelioGround
private import HelioRecording
private import HelioSession
internal import HelioSharing
internal import HelioSound
private import Synchronization

/// A viewer's recording of picture and sound as received, before decoding.
///
/// Pictures and sound carry their capture times on the source's clock. If another program's stream has no capture
/// times, they are derived from the pictures' media times and the arrival of the first picture. The sound of another
/// program's stream is not recorded.
final class ViewerRecording: Sendable {
    private struct State {
        /// The media time and arrival of the first picture, for a source that sends no capture times.
        var anchor: (mediaTime: Int64, arrival: Instant)?
        /// The recorded origin: `system` if it is shared, otherwise the first origin that arrives.
        var origin: SoundOrigin?
        var clock: SoundClock?
        /// The sequence number of the last packet that was recorded.
        var sequence: ExtendedSequence?
        /// Packets whose capture time is not known yet.
        var waiting: [ReceivedSound] = []
    }

    /// The session's stream, as the recorder sees it.
    private struct SessionStream: RecordedStream {
        let watch: HostWatch
        let notes: NoteBoard

        func requestKeyframe(_: String) { watch.submit(.keyframeNeeded) }

        /// Does nothing: the source alone decides when it sends a picture.
        func repeatPicture() {}

        func take(_ news: RecordingNews) {
            switch news {
            case .began(let path), .continued(let path): notes.put("Recording to \(path).")
            case .failed(let error): notes.put(error.message)
            }
        }
    }

    /// The maximum number of packets that wait for their capture time: half a second of 5 ms packets.
    private static let packetsWaiting = 100
    /// The longest wait for the file to be completed at the end.
    private static let patience = Duration.seconds(5)

    /// True if the source has to send sound for the recording, even if it is not played here.
    let wantsSound: Bool
    private let recorder: Recorder
    private let state = Mutex(State())

    /// Creates the file; `nil` if the options ask for no recording. Throws `invalidArgument` if the options are
    /// invalid, and `systemFailed` if the file can't be created.
    ///
    /// - Parameters:
    ///   - watch: the session, which is asked for keyframes.
    ///   - notes: receives notes about the file for the user.
    init?(
        _ options: Viewer.Options, _ target: ViewTarget, of watch: HostWatch, notes: NoteBoard
    ) throws(HelioError) {
        guard let wanted = options.recording else { return nil }
        wantsSound = options.sound && !target.isForeign
        recorder = try Recorder(
            wanted.recorderOptions(sound: wantsSound ? [.system] : []),
            of: SessionStream(watch: watch, notes: notes))
    }

    var status: RecordingStatus { RecordingStatus(recorder.statistics, now: MonotonicClock.now) }

    /// Records a frame, on the event loop; never blocks.
    func take(_ frame: ReceivedFrame) {
        let captured =
            frame.sourceTiming?.captured
            ?? state.withLock { state in
                let anchor = state.anchor ?? (frame.mediaTime, frame.firstArrival)
                state.anchor = anchor
                return anchor.arrival + Self.duration(frame.mediaTime - anchor.mediaTime, scale: 90_000)
            }
        recorder.put(
            RecordedPicture(
                codec: frame.codec, annexB: frame.annexB, captured: captured, isKeyframe: frame.isKeyframe))
    }

    /// Records the session's sound, on the event loop; never blocks.
    func take(_ news: SoundNews) {
        guard wantsSound else { return }
        let ready = state.withLock { state in
            switch news {
            case .begun:
                (state.clock, state.sequence, state.origin, state.waiting) = (nil, nil, nil, [])
                return [RecordedSound]()
            case .clock(let clock):
                guard clock.origin == state.origin || state.origin == nil else { return [] }
                if state.origin != nil { state.clock = clock }
                defer { state.waiting = [] }
                return state.waiting.compactMap { Self.place($0, &state) }
            case .packet(let packet):
                guard packet.codec == .opus else { return [] }
                if packet.origin == .system, state.origin != .system {
                    (state.clock, state.sequence, state.origin, state.waiting) = (nil, nil, .system, [])
                }
                if state.origin == nil { state.origin = packet.origin }
                guard packet.origin == state.origin else { return [] }
                if state.clock == nil {
                    if state.waiting.count < Self.packetsWaiting { state.waiting.append(packet) }
                    return []
                }
                return Self.place(packet, &state).map { [$0] } ?? []
            }
        }
        for sound in ready { recorder.put(sound) }
    }

    /// Returns the packet with its capture time; `nil` for a duplicate, or for a packet older than one already
    /// recorded.
    private static func place(_ packet: ReceivedSound, _ state: inout State) -> RecordedSound? {
        guard let clock = state.clock, state.sequence.map({ packet.sequence > $0 }) ?? true else { return nil }
        state.sequence = packet.sequence
        return RecordedSound(
            origin: .system, payload: packet.payload,
            captured: clock.captured + duration(packet.mediaTime - clock.mediaTime, scale: 48_000))
    }

    private static func duration(_ units: Int64, scale: Int64) -> Duration {
        let (seconds, rest) = units.quotientAndRemainder(dividingBy: scale)
        return .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / scale)
    }

    /// Closes the file, and waits until it is complete, for 5 s at most.
    func stop() { recorder.end(waiting: Self.patience) }
}
