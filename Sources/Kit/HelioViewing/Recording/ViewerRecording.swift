internal import HelioCore
private import HelioLoop
private import HelioRecording
internal import HelioSound
private import Synchronization

/// A viewer's recording: what comes of picture and sound, before it is decoded.
///
/// Pictures and sound carry the times at which the source took them, by its clock. Another program's stream may carry
/// none: its pictures are then placed by their own times, from the arrival of the first on, and its sound is left out.
final class ViewerRecording: Sendable {
    private struct State {
        var notes: [String] = []
        /// The stream's time of its first picture, with its arrival; where the source tells no time.
        var anchor: (mediaTime: Int64, arrival: Instant)?
        /// The origin that is recorded: what the machine plays, where that is shared.
        var origin: SoundOrigin?
        var clock: SoundClock?
        /// The last packet that was put in.
        var sequence: ExtendedSequence?
        /// Packets whose time is not known yet.
        var waiting: [ReceivedSound] = []
    }

    /// The most packets that wait for their time: half a second.
    private static let packetsWaiting = 100
    /// How long the end waits for the file to be whole.
    private static let patience = Duration.seconds(5)

    /// True where the source is to send sound for this, heard or not.
    let wantsSound: Bool
    private let recorder: Recorder
    private let state: SharedState

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    /// Makes the file that the options ask for. Throws `invalidArgument` and `systemFailed`.
    ///
    /// - Parameters:
    ///   - needKeyframe: called on some thread.
    ///   - bell: called on some thread when a note waits.
    static func make(
        _ options: Viewer.Options, _ target: ViewTarget, needKeyframe: @escaping @Sendable () -> Void,
        bell: @escaping @Sendable () -> Void
    ) throws(HelioError) -> ViewerRecording? {
        guard let wanted = options.recording else { return nil }
        return try ViewerRecording(
            wanted, wantsSound: options.sound && !target.isForeign, needKeyframe: needKeyframe, bell: bell)
    }

    private init(
        _ options: RecordingOptions, wantsSound: Bool, needKeyframe: @escaping @Sendable () -> Void,
        bell: @escaping @Sendable () -> Void
    ) throws(HelioError) {
        self.wantsSound = wantsSound
        let state = SharedState()
        self.state = state
        recorder = try Recorder(
            options.recorderOptions(sound: wantsSound ? [.system] : []),
            .init(
                needKeyframe: { _ in needKeyframe() },
                tell: { news in
                    let note =
                        switch news {
                        case .began(let path), .continued(let path): "Recording to \(path)."
                        case .failed(let error): error.message
                        }
                    state.value.withLock { $0.notes.append(note) }
                    bell()
                }))
    }

    /// Takes the notes for the person.
    func takeNotes() -> [String] {
        state.value.withLock { state in
            defer { state.notes = [] }
            return state.notes
        }
    }

    var status: RecordingStatus { RecordingStatus(recorder.statistics, now: MonotonicClock.now) }

    /// Takes a frame, on the event loop; never blocks.
    func take(_ frame: ReceivedFrame) {
        let captured =
            frame.sourceTiming?.captured
            ?? state.value.withLock { state in
                let anchor = state.anchor ?? (frame.mediaTime, frame.firstArrival)
                state.anchor = anchor
                return anchor.arrival + Self.duration(frame.mediaTime - anchor.mediaTime, scale: 90_000)
            }
        recorder.put(
            RecordedPicture(
                codec: frame.codec, annexB: frame.annexB, captured: captured, isKeyframe: frame.isKeyframe))
    }

    /// Takes what comes of the session's sound, on the event loop; never blocks.
    func take(_ news: SoundNews) {
        guard wantsSound else { return }
        let ready = state.value.withLock { state in
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

    /// A packet with its time; `nil` for one that came already, or after a later one.
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

    /// Ends the file, and waits until it is whole, but not for ever.
    func stop() { recorder.end(waiting: Self.patience) }
}
