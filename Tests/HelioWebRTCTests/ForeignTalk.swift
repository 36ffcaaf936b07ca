import ForeignPeers
import HelioCore
import HelioSoundCodecs
import HelioWebRTC
import Synchronization
import Testing

/// The library at one end, and a third-party peer at the other: both send the test tone, and each measures the other's.
final class ForeignTalk: Sendable {
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// The most tones, one a second, until an end must receive a correct one: jitter buffers adapt first.
    private static let mostTones = 15
    /// The time in which that many tones arrive.
    private static let patience = Duration.seconds(20)
    /// The simulated delay from a picture's capture to its sending.
    private static let codingTime = Duration.milliseconds(80)

    private struct State {
        var ear: SoundEar
        var pictures = 0
        var failure: (any Error)?
    }

    let peer: PeerConnection
    let track: AudioTrack
    let foreign: ForeignPeer
    private let endpoint: WebRTCEndpoint
    private let weOffer: Bool
    private let state: Mutex<State>
    private let states: AsyncStream<PeerState>
    private let tones: AsyncStream<HeardTone>
    private let toneSink: AsyncStream<HeardTone>.Continuation
    private let tasks = Mutex<[Task<Void, any Error>]>([])

    init(_ kind: ForeignPeer.Kind, weOffer: Bool, hasPicture: Bool) async throws {
        var theirs = ForeignPeerOptions(
            weOffer ? .answer : .offer, video: hasPicture ? .receive : .none, hasData: false)
        theirs.sound = .both
        self.weOffer = weOffer
        foreign = try ForeignPeer(kind, theirs)
        endpoint = try await WebRTCEndpoint.open()
        var options = PeerConnection.Options()
        options.hasSound = true
        peer = try await endpoint.connect(options)
        track = try await peer.addAudioTrack(stream: "desk", receives: true)
        let video = try await hasPicture ? peer.addVideoTrack(stream: "desk") : nil
        state = Mutex(State(ear: try SoundEar()))
        let toneStream = AsyncStream.makeStream(of: HeardTone.self)
        let stateStream = AsyncStream.makeStream(of: PeerState.self)
        (tones, states) = (toneStream.stream, stateStream.stream)
        toneSink = toneStream.continuation
        start { [self] in
            for await event in peer.events {
                switch event {
                case .sound(let sound): if let tone = try hear(sound) { toneStream.continuation.yield(tone) }
                case .video: state.withLock { $0.pictures += 1 }
                case .state(let next): stateStream.continuation.yield(next)
                default: break
                }
            }
            toneStream.continuation.finish()
            stateStream.continuation.finish()
        }
        start { [track] in try await Self.sing(track) }
        if let video { start { try await Self.show(video) } }
    }

    private func start(_ body: @escaping @Sendable () async throws -> Void) {
        let task = Task { [weak self] in
            do {
                try await body()
            } catch {
                self?.state.withLock { $0.failure = $0.failure ?? error }
                throw error
            }
        }
        tasks.withLock { $0.append(task) }
    }

    private func hear(_ sound: HelioWebRTC.ReceivedSound) throws -> HeardTone? {
        try state.withLock { try $0.ear.hear(sound, now: TestTone.now) }
    }

    // MARK: Sending

    /// Sends the tone like a microphone and an encoder: a packet is sent when it is complete, with the time of its
    /// first sample.
    private static func sing(_ track: AudioTrack) async throws {
        let encoder = try OpusEncoder(
            SoundFormat(sampleRate: TestTone.rate, channels: 2),
            SoundEncoderSettings(bitrate: 96_000, packetDuration: .milliseconds(20)))
        var begins = true
        try await every(.milliseconds(20)) { time, _ in
            let start = time.nanoseconds / 1000 * 48 / 1000
            let samples = TestTone.samples(from: start, frames: encoder.framesPerPacket)
            guard let packet = try encoder.encode(samples) else {
                begins = true
                return
            }
            let lag = Duration.nanoseconds(encoder.delayFrames * 1_000_000 / 48)
            await track.send(packet, at: time - lag, beginsTalk: begins)
            begins = false
        } after: {
            .milliseconds(20)
        }
    }

    private static func show(_ track: VideoTrack) async throws {
        let clip = try CodedClip.make()
        try await every(.nanoseconds(1_000_000_000 / 30)) { time, number in
            let picture = clip.pictures[number % clip.pictures.count]
            await track.send(
                EncodedFrame(annexB: picture.annexB, presentationTime: time, isKeyframe: picture.isKeyframe))
        } after: {
            codingTime
        }
    }

    /// Calls `body` a while after each multiple of a step in the machine's time since 1970.
    private static func every(
        _ step: Duration, _ body: (Duration, Int) async throws -> Void, after wait: () -> Duration
    ) async throws {
        let clock = ContinuousClock()
        let (began, wall) = (clock.now, Duration.seconds(TestTone.now))
        let first = wall.nanoseconds / step.nanoseconds
        var number = 0
        while !Task.isCancelled {
            let time = Duration.nanoseconds((first + Int64(number)) * step.nanoseconds)
            try await clock.sleep(until: began + (time - wall) + wait())
            try await body(time, number)
            number += 1
        }
    }

    // MARK: Setting up

    func connect() async throws {
        try await negotiate(byUs: weOffer)
        while true {
            let line = try await foreign.next("candidate")
            try await peer.addCandidate(line.candidate)
            if line.candidate == nil { break }
        }
        try await foreign.next("state") { $0.state == "connected" }
        for await next in states where next == .connected { return }
        throw Failure(description: "never connected")
    }

    /// Exchanges an offer of one end and the answer; returns the third-party peer's description.
    @discardableResult
    func negotiate(byUs: Bool) async throws -> String {
        if byUs {
            _ = try await peer.makeOffer()
            try foreign.tell(.offer(await ours()))
            try foreign.tell(.candidate(nil))
            let answer = try #require(try await foreign.next("answer").sdp)
            try await peer.takeAnswer(answer)
            return answer
        }
        let offer = try #require(try await foreign.next("offer").sdp)
        try await peer.takeOffer(offer)
        _ = try await peer.makeAnswer()
        try foreign.tell(.answer(await ours()))
        try foreign.tell(.candidate(nil))
        return offer
    }

    private func ours() async throws -> String { try #require(await peer.completeDescription()) }

    // MARK: Received sound

    /// Waits until this end receives the correct tone.
    @discardableResult
    func hearTone() async throws -> HeardTone {
        var heard: [HeardTone] = []
        let limit = Task { [toneSink] in
            try await Task.sleep(for: Self.patience)
            toneSink.finish()
        }
        defer { limit.cancel() }
        for await tone in tones {
            if tone.isRight { return tone }
            heard.append(tone)
            if heard.count == Self.mostTones { break }
        }
        throw Failure(description: "we hear \(heard); \(told); \(await peer.statistics().inbound)")
    }

    /// Waits until the other end receives the correct tone.
    @discardableResult
    func beHeard() async throws -> HeardTone {
        var heard: [HeardTone] = []
        while heard.count < Self.mostTones {
            let tone = try #require(HeardTone(try await foreign.next("sound")))
            if tone.isRight { return tone }
            heard.append(tone)
        }
        throw Failure(description: "they hear \(heard); \(told)")
    }

    /// The counts of this end's received sound, for failure messages.
    var told: String {
        state.withLock { "lost \($0.ear.lost), late \($0.ear.late), failed \($0.failure.map { "\($0)" } ?? "nothing")" }
    }

    var lostPackets: Int { state.withLock { $0.ear.lost } }

    func theirStatistics() async throws -> PeerLine {
        try foreign.tell(.stats)
        return try await foreign.next("stats")
    }

    func stop() async throws {
        for task in tasks.withLock(\.self) { task.cancel() }
        try await foreign.stop()
        await endpoint.close()
        if let failure = state.withLock({ $0.failure }), !(failure is CancellationError) { throw failure }
    }
}
