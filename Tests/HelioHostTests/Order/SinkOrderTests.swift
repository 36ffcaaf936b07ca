import HelioAdmission
import HelioCore
import HelioHost
import HelioOpenSSL
import HelioProtection
import HelioSession
import HelioSimulation
import Testing

/// The events of a host or the driver in each state of a viewer's session (row 26).
@Suite("The order of a session at the viewer")
struct SinkOrderTests {
    /// Every event that can occur.
    enum Act: String, CaseIterable {
        case connected, pathOpen, pathFailed, disconnected, tick, late
        case empty200, failure, challenge, tearDown, options, setParameter, permission, unknown, interleaved, junk
        case datagram, keyframeNeeded, pause, resume, mute

        var signalling: String? {
            switch self {
            case .empty200: "RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n"
            case .failure: "RTSP/1.0 455 No\r\nCSeq: 1\r\n\r\n"
            case .challenge:
                "RTSP/1.0 401 No\r\nCSeq: 1\r\nWWW-Authenticate: "
                    + "Heliograph nonce=\"\(String(repeating: "0a", count: 16))\"\r\n\r\n"
            case .tearDown: "TEARDOWN * RTSP/1.0\r\nCSeq: 1\r\n\r\n"
            case .options: "OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n"
            case .setParameter: "SET_PARAMETER * RTSP/1.0\r\nCSeq: 1\r\n\r\n"
            case .permission:
                "SET_PARAMETER * RTSP/1.0\r\nCSeq: 1\r\n"
                    + "Content-Type: application/x-nothing\r\nContent-Length: 1\r\n\r\n1"
            case .unknown: "DANCE * RTSP/1.0\r\nCSeq: 1\r\n\r\n"
            case .interleaved: "$\u{0}\u{0}\u{1}x"
            case .junk: "nonsense\r\n\r\n"
            default: nil
            }
        }
    }

    /// The state after an act, by this test's own model.
    private static func expected(_ state: SinkState, _ act: Act) -> SinkState {
        if state == .ended { return .ended }
        switch act {
        case .disconnected, .pathFailed, .tearDown, .interleaved, .junk: return .ended
        case .connected: return state == .idle ? .asking : state
        // An unexpected opened path is ignored without harm.
        case .pathOpen: return state == .openingPath ? .starting : state
        // 11 s pass without an answer; a playing viewer has received nothing for as long.
        case .late: return .ended
        case .challenge:
            switch state {
            case .asking: return .proving
            case .proving, .settingUpVideo, .settingUpControl, .starting: return .ended
            // The host rejects sound.
            case .settingUpSound: return .openingPath
            default: return state
            }
        case .empty200:
            switch state {
            case .starting: return .playing
            case .asking, .proving, .settingUpVideo, .settingUpControl, .settingUpSound: return .ended
            default: return state
            }
        case .failure:
            switch state {
            case .asking, .proving, .settingUpVideo, .settingUpControl, .starting: return .ended
            case .settingUpSound: return .openingPath
            default: return state
            }
        default: return state
        }
    }

    /// A viewer in this state; fails if it reported errors.
    private func viewer(in goal: SinkState) -> SinkSession {
        var settings = SourceHost.Settings(format: .test, allowsControl: true)
        settings.sound = [.system]
        let stage = SourceHost(
            settings, fingerprint: NetworkWorld.fingerprint, crypto: OpenSSLCrypto(),
            random: SeededGenerator(seed: 1), now: .zero)
        stage.setPorts(media: 7236, control: 7237)
        let link = ShareLink(host: "10.0.0.1", port: 7236, fingerprint: nil, secret: stage.linkSecret.bytes)
        let session = SinkSession(
            .init(capabilities: StreamCapabilities(sound: [.opus])), link: link,
            certificateFingerprint: NetworkWorld.fingerprint, crypto: OpenSSLCrypto(), random: SeededGenerator(seed: 2),
            now: .zero)
        let id = ConnectionID(1)
        stage.handle(.connected(id, address: "10.0.0.2"), now: .zero)
        if goal != .idle { session.handle(.connected, now: .zero) }
        // Answers are delivered one at a time: two may be in transit together.
        var answers: [[UInt8]] = []
        var isBusy = true
        while isBusy, session.state != goal {
            isBusy = false
            while let output = session.poll() {
                isBusy = true
                if case .send(let bytes) = output { stage.handle(.received(id, bytes), now: .zero) }
            }
            while let output = stage.poll() {
                if case .send(_, let bytes) = output { answers.append(bytes) }
            }
            if session.state == .openingPath, goal != .openingPath {
                session.handle(.pathOpen, now: .zero)
                isBusy = true
            } else if !answers.isEmpty {
                session.handle(.received(answers.removeFirst()), now: .zero)
                isBusy = true
            }
        }
        if goal == .ended { session.leave(now: .zero) }
        return session
    }

    @Test(
        "everything that can come in, in every state: it goes on, stays, or ends with one reason",
        arguments: SinkState.allCases)
    func everyActInEveryState(state: SinkState) {
        for act in Act.allCases {
            let session = viewer(in: state)
            #expect(session.state == state)
            while session.poll() != nil {}
            perform(act, session)
            let expected = Self.expected(state, act)
            #expect(session.state == expected, "\(act.rawValue)")
            var reasons = 0
            var closes = 0
            while let output = session.poll() {
                switch output {
                case .event(.ended(let error)):
                    reasons += 1
                    #expect(!error.message.isEmpty)
                case .close: closes += 1
                case .event(.frame): Issue.record("a frame out of nothing")
                default: break
                }
            }
            let ends = expected == .ended && state != .ended ? 1 : 0
            #expect(reasons == ends && closes == ends, "\(act.rawValue): \(reasons) reasons, closed \(closes) times")
            #expect(expected != .ended || session.deadline == nil)
        }
    }

    private func perform(_ act: Act, _ session: SinkSession) {
        if let text = act.signalling { return session.handle(.received(Array(text.utf8)), now: .zero) }
        switch act {
        case .connected: session.handle(.connected, now: .zero)
        case .pathOpen: session.handle(.pathOpen, now: .zero)
        case .pathFailed: session.handle(.pathFailed("no socket"), now: .zero)
        case .disconnected: session.handle(.disconnected, now: .zero)
        case .tick: session.tick(now: .zero + .milliseconds(1))
        case .late: session.tick(now: .zero + .seconds(11))
        case .datagram: session.handle(.media([0x80, 96] + [UInt8](repeating: 1, count: 40)), now: .zero)
        case .keyframeNeeded: session.handle(.keyframeNeeded, now: .zero)
        case .pause: session.handle(.pause, now: .zero)
        case .mute: session.handle(.sound(false), now: .zero)
        default: session.handle(.resume, now: .zero)
        }
    }
}
