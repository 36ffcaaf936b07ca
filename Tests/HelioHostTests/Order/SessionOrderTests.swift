import HelioAdmission
import HelioCore
import HelioHost
import HelioOpenSSL
import HelioProtection
import HelioRTSP
import HelioSession
import HelioSimulation
import Testing

/// The messages of a viewer in every order, compared with a table written only for this test (row 26).
@Suite("The order of a session at the host")
struct SessionOrderTests {
    /// Every event that can occur on a connection.
    enum Act: String, CaseIterable {
        case options, describe, prove, guess, beginPairing, confirmPairing
        case setUpVideo, setUpControl, setUpSound, setUpNothing, setUpBadly, setSound, setOtherSound, play, pause
        case keepAlive, tearDown
        case announce, record, setParameter, redirect, unknown
        case describeElsewhere, setUpElsewhere, playElsewhere, pauseElsewhere, keepAliveElsewhere, tearDownElsewhere
        case useConnection, useDatagrams, useNothing
        case answer, interleaved, datagram, junk, tick, wait, disconnect

        /// The acts that advance a valid session, and those similar to them; long sequences consist of these.
        static let ofOrder: [Act] = [
            .describe, .prove, .guess, .setUpVideo, .setUpControl, .play, .pause, .tearDown,
        ]
    }

    /// The test's own model of a session.
    struct Model: Equatable {
        enum Place: String { case connected, challenged, pairing, admitted, ready, playing, paused, ended }

        var place = Place.connected
        var hasControl = false
        var hasSound = false
        var guesses = 0

        /// Returns the expected status code; `nil` if there is no response.
        mutating func take(_ act: Act) -> Int? {
            if place == .ended { return nil }
            let isIn = [.admitted, .ready, .playing, .paused].contains(place)
            let isStranger = place == .connected || place == .challenged
            switch act {
            case .options: return 200
            case .announce, .record, .setParameter, .redirect, .unknown: return 501
            case .describeElsewhere, .setUpElsewhere, .playElsewhere, .pauseElsewhere, .keepAliveElsewhere,
                .tearDownElsewhere:
                return 454
            case .answer, .interleaved, .datagram, .tick: return nil
            case .describe:
                guard isStranger else { return 455 }
                place = .challenged
                return 401
            case .prove, .guess:
                guard isStranger else { return 455 }
                guard place == .challenged else {
                    place = .challenged
                    return 401
                }
                if act == .prove {
                    place = .admitted
                    return 200
                }
                guesses += 1
                place = guesses == 3 ? .ended : .connected
                return 403
            case .beginPairing:
                if isIn { return 455 }
                if isStranger {
                    place = .pairing
                    return 401
                }
                place = .ended
                return 403
            case .confirmPairing:
                if isIn { return 455 }
                place = .ended
                return 403
            case .setUpVideo:
                guard place == .admitted else { return 455 }
                place = .ready
                return 200
            case .setUpControl:
                guard place == .admitted || place == .ready, !hasControl else { return 455 }
                hasControl = true
                return 200
            case .setUpSound:
                guard place == .ready, !hasSound else { return 455 }
                hasSound = true
                return 200
            case .setSound, .setOtherSound:
                guard place == .ready || place == .playing || place == .paused else { return 455 }
                return hasSound && act == .setSound ? 200 : 403
            case .useConnection, .useDatagrams, .useNothing:
                if place == .playing || place == .paused { return act == .useNothing ? 461 : 200 }
                // A SETUP without a key is handled like any other.
                return place == .admitted || place == .ready ? 400 : 455
            case .setUpNothing: return place == .admitted || place == .ready ? 404 : 455
            case .setUpBadly: return place == .admitted || place == .ready ? 400 : 455
            case .play:
                guard place == .ready || place == .paused else { return 455 }
                place = .playing
                return 200
            case .pause:
                guard place == .playing else { return 455 }
                place = .paused
                return 200
            case .keepAlive: return isIn ? 200 : 401
            case .tearDown:
                place = .ended
                return 200
            case .junk:
                place = .ended
                return 400
            case .wait, .disconnect:
                place = .ended
                return nil
            }
        }
    }

    /// One host for many successive connections: leftovers of one would affect the next.
    final class Stage {
        let host: SourceHost
        var now = Instant.zero
        private var nextID: UInt64 = 1
        private let video: [UInt8]
        private let control: [UInt8]

        init() {
            var settings = SourceHost.Settings(format: .test, allowsControl: true, pairing: .init(asks: true))
            settings.sound = [.system]
            host = SourceHost(
                settings, fingerprint: NetworkWorld.fingerprint, crypto: OpenSSLCrypto(),
                random: SeededGenerator(seed: 3),
                now: .zero)
            host.setPorts(media: 7236, control: 7237)
            (video, control) = Self.keys()
        }

        /// The bodies with keys that a real viewer sends.
        private static func keys() -> ([UInt8], [UInt8]) {
            let world = SessionWorld()
            var bodies: [[UInt8]] = []
            var parser = RTSPParser()
            let session = world.viewer.session
            while let item = world.pipe.nextForHost(now: .zero + .seconds(9)) {
                if let bytes = item.bytes { world.host.host.handle(.received(HostPeer.connection, bytes), now: .zero) }
                while let output = world.host.host.poll() {
                    if case .send(_, let bytes) = output { session.handle(.received(bytes), now: .zero) }
                }
                while let output = session.poll() {
                    guard case .send(let bytes) = output else { continue }
                    world.pipe.sendToHost(bytes, now: .zero)
                    parser.append(bytes)
                    while let message = try? parser.next() {
                        if case .request(let request) = message, request.method == .setup {
                            bodies.append(request.body)
                        }
                    }
                }
            }
            return (bodies[0], bodies[1])
        }

        /// Performs `acts` on a new connection, and compares each result with the model.
        func perform(_ acts: [Act], _ comment: @autoclosure () -> String = "") {
            now = now + .seconds(70)
            let viewer = BareViewer(host, nextID, now: now)
            nextID += 1
            var model = Model()
            for (index, act) in acts.enumerated() {
                let expected = model.take(act)
                let status = perform(act, viewer)
                let state = host.state(of: viewer.id)?.rawValue ?? "ended"
                if status != expected || state != model.place.rawValue || viewer.isClosed != closes(model, act) {
                    let wanted = "\(expected.map { "\($0)" } ?? "none") and \(model.place.rawValue)"
                    let got = "\(status.map { "\($0)" } ?? "none") and \(state)"
                    Issue.record("\(acts.prefix(index + 1).map(\.rawValue)): \(got), not \(wanted)")
                    break
                }
                if model.place == .ended { break }
            }
            viewer.disconnect(now: now)
            #expect(host.held.values.allSatisfy { $0 == 0 }, "\(acts.map(\.rawValue)): \(host.held)")
            let joined = viewer.events.count { if case .joined = $0 { true } else { false } }
            let left = viewer.events.count { if case .left = $0 { true } else { false } }
            #expect(joined == left, "\(acts.map(\.rawValue))")
        }

        private func closes(_ model: Model, _ act: Act) -> Bool { model.place == .ended && act != .disconnect }

        private func perform(_ act: Act, _ viewer: BareViewer) -> Int? {
            let elsewhere = [("Session", "1234abcd")]
            switch act {
            case .options: return viewer.ask("OPTIONS", now: now)
            case .describe: return viewer.ask("DESCRIBE", now: now)
            case .prove: return viewer.prove(host.linkSecret, now: now)
            case .guess: return viewer.prove(SecretBytes([UInt8](repeating: 1, count: 10)), now: now)
            case .beginPairing:
                let step = PairingHeader.begin(commitment: [UInt8](repeating: 5, count: 32), name: "laptop")
                return viewer.ask("DESCRIBE", "", [("Authorization", step.value)], now: now)
            case .confirmPairing:
                return viewer.ask("DESCRIBE", "", [("Authorization", PairingHeader.confirm(nil).value)], now: now)
            case .setUpVideo:
                return viewer.ask("SETUP", "/video", [("Transport", "RTP/SAVPF/UDP")], body: video, now: now)
            case .setUpControl:
                return viewer.ask(
                    "SETUP", "/control", [("Transport", StreamOffer.controlTransport)], body: control, now: now)
            case .setUpNothing:
                return viewer.ask(
                    "SETUP", "/audio-microphone", [("Transport", "RTP/SAVPF/UDP")], body: video, now: now)
            case .setUpSound: return viewer.ask("SETUP", "/audio", [("Transport", "RTP/SAVPF/UDP")], now: now)
            case .setSound: return set(SoundMessage.encode([.system]), viewer)
            case .setOtherSound: return set(SoundMessage.encode([.microphone]), viewer)
            case .setUpBadly: return viewer.ask("SETUP", "/video", body: video, now: now)
            case .useConnection:
                return viewer.ask("SETUP", "/video", [("Transport", "RTP/SAVPF/TCP;interleaved=0-1")], now: now)
            case .useDatagrams: return viewer.ask("SETUP", "/video", [("Transport", "RTP/SAVPF/UDP")], now: now)
            case .useNothing:
                return viewer.ask("SETUP", "/video", [("Transport", "RTP/SAVPF/TCP;interleaved=2-3")], now: now)
            case .play: return viewer.ask("PLAY", now: now)
            case .pause: return viewer.ask("PAUSE", now: now)
            case .keepAlive: return viewer.ask("GET_PARAMETER", now: now)
            case .tearDown: return viewer.ask("TEARDOWN", now: now)
            case .announce: return viewer.ask("ANNOUNCE", now: now)
            case .record: return viewer.ask("RECORD", now: now)
            case .setParameter: return viewer.ask("SET_PARAMETER", now: now)
            case .redirect: return viewer.ask("REDIRECT", now: now)
            case .unknown: return viewer.ask("DANCE", now: now)
            case .describeElsewhere: return viewer.ask("DESCRIBE", "", elsewhere, now: now)
            case .setUpElsewhere: return viewer.ask("SETUP", "/video", elsewhere, body: video, now: now)
            case .playElsewhere: return viewer.ask("PLAY", "", elsewhere, now: now)
            case .pauseElsewhere: return viewer.ask("PAUSE", "", elsewhere, now: now)
            case .keepAliveElsewhere: return viewer.ask("GET_PARAMETER", "", elsewhere, now: now)
            case .tearDownElsewhere: return viewer.ask("TEARDOWN", "", elsewhere, now: now)
            case .answer: return viewer.say(Array("RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n".utf8), now: now)
            case .interleaved: return viewer.say([0x24, 0, 0, 4, 0x80, 96, 0, 1], now: now)
            case .datagram:
                var bytes: [UInt8] = [0x80, 201, 0, 1]
                for shift in [24, 16, 8, 0] {
                    bytes.append(UInt8(truncatingIfNeeded: (viewer.ssrc ?? 9) >> UInt32(shift)))
                }
                host.handle(.media(bytes + [UInt8](repeating: 3, count: 24), from: PathID(1)), now: now)
                return viewer.say([], now: now)
            case .junk: return viewer.say(Array("nonsense\r\n\r\n".utf8), now: now)
            case .tick:
                viewer.tick(now: now)
                return nil
            case .wait:
                now = now + .seconds(61)
                viewer.tick(now: now)
                return nil
            case .disconnect:
                viewer.disconnect(now: now)
                return nil
            }
        }

        private func set(_ sound: [UInt8], _ viewer: BareViewer) -> Int? {
            viewer.ask("SET_PARAMETER", "", [("Content-Type", SoundMessage.contentType)], body: sound, now: now)
        }

        /// Returns whether a real viewer with the current link can play.
        func playsStill() -> Bool {
            now = now + .seconds(70)
            let id = nextID
            nextID += 1
            let link = ShareLink(host: "10.0.0.1", port: 7236, fingerprint: nil, secret: host.linkSecret.bytes)
            return SessionStartTests.outcome(of: link, at: host, connection: id, now: now) == .admitted
        }
    }

    /// The shortest sequence of acts to each place.
    private static let ways: [(place: Model.Place, acts: [Act])] = [
        (.connected, []), (.challenged, [.describe]), (.pairing, [.beginPairing]), (.admitted, [.describe, .prove]),
        (.admitted, [.describe, .prove, .setUpControl]), (.ready, [.describe, .prove, .setUpVideo]),
        (.ready, [.describe, .prove, .setUpVideo, .setUpControl]),
        (.ready, [.describe, .prove, .setUpVideo, .setUpSound]),
        (.playing, [.describe, .prove, .setUpVideo, .setUpControl, .setUpSound, .play]),
        (.playing, [.describe, .prove, .setUpVideo, .setUpControl, .play]),
        (.playing, [.describe, .prove, .setUpVideo, .play]),
        (.paused, [.describe, .prove, .setUpVideo, .setUpControl, .play, .pause]),
    ]

    @Test("everything that can happen in every state, and what may follow: out of order it gets its error, and no harm")
    func everyActInEveryState() {
        let stage = Stage()
        for way in Self.ways {
            var model = Model()
            for act in way.acts { _ = model.take(act) }
            #expect(model.place == way.place)
            for first in Act.allCases {
                for second in Act.ofOrder + [.tick] { stage.perform(way.acts + [first, second]) }
            }
            #expect(stage.playsStill(), "after \(way.place)")
        }
    }

    @Test("every sequence of four of the order's own requests, and a right session after each first one")
    func everySequence() {
        let stage = Stage()
        for a in Act.ofOrder {
            for b in Act.ofOrder {
                for c in Act.ofOrder {
                    for d in Act.ofOrder { stage.perform([a, b, c, d]) }
                }
                #expect(stage.playsStill(), "after \(a) and \(b)")
            }
        }
    }

    @Test("the table itself: every state but the end is left by the end, and nothing leaves that")
    func table() {
        for state in SessionState.allCases {
            #expect(state.after(.end) == (state == .ended ? nil : .ended))
            for step in SessionState.Step.allCases where state == .ended { #expect(state.after(step) == nil) }
        }
        for state in SinkState.allCases {
            #expect(state.after(.end) == (state == .ended ? nil : .ended))
            let others = SinkState.Step.allCases.filter { $0 != .end && state.after($0) != nil }
            #expect(others.count == (state == .playing || state == .ended ? 0 : 1), "a viewer's way has no branches")
        }
    }
}
