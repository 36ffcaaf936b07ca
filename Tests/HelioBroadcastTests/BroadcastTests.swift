import HelioBroadcast
import HelioCore
import Testing

struct BroadcastTests {
    /// A broadcast and all its outputs.
    private struct Stage {
        var broadcast: Broadcast
        var now = Instant(nanoseconds: 5_000_000_000)
        var outputs: [Broadcast.Output] = []

        init(
            _ tracks: BroadcastTracks = BroadcastTracks(video: .h264, sound: .opus(channels: 2)),
            _ change: (inout BroadcastSettings) -> Void = { _ in }
        ) {
            var settings = BroadcastSettings()
            change(&settings)
            broadcast = Broadcast(tracks, settings, now: now)
        }

        mutating func said() -> [Broadcast.Output] {
            while let output = broadcast.poll() { outputs.append(output) }
            defer { outputs = [] }
            return outputs
        }

        mutating func handle(_ input: Broadcast.Input) { broadcast.handle(input, now: now) }

        mutating func wait(_ time: Duration) {
            now = now + time
            broadcast.tick(now: now)
        }

        /// Advances the time to the next deadline.
        mutating func waitForDeadline() -> StaticString? {
            guard let deadline = broadcast.deadline else { return nil }
            now = max(now, deadline.at)
            broadcast.tick(now: now)
            return deadline.why
        }

        mutating func picture(_ isKeyframe: Bool = false, _ number: UInt8 = 0) {
            handle(.picture(BroadcastPicture(annexB: [number], captured: now, isKeyframe: isKeyframe)))
        }

        mutating func sound(at captured: Instant, sample: Int64 = 0) {
            handle(
                .sound(
                    EncodedSound(encode: .thinOpus, payload: [9], mediaTime: sample, frames: 960, captured: captured)))
        }

        mutating func all() -> [BroadcastUnit] {
            var units: [BroadcastUnit] = []
            while let unit = broadcast.next(now: now) { units.append(unit) }
            return units
        }

        mutating func goLive() {
            handle(.connected)
            _ = said()
        }
    }

    private static let lost = BroadcastFailure(.lost, "It is lost.")

    @Test func begins() {
        var stage = Stage()
        #expect(stage.said() == [.connect, .event(.state(.connecting))])
        stage.picture(true)
        #expect(stage.broadcast.statistics(now: stage.now).drops == ["broadcast-not-connected": 1])
        stage.handle(.connected)
        #expect(stage.said() == [.event(.state(.live)), .event(.wantsKeyframe)])
        // Sound and pictures before the first keyframe are discarded.
        stage.picture()
        stage.sound(at: stage.now)
        stage.wait(.milliseconds(30))
        let captured = stage.now
        stage.picture(true, 1)
        stage.sound(at: captured - .milliseconds(1))
        stage.sound(at: captured + .zero, sample: 960)
        stage.wait(.milliseconds(33))
        stage.picture(false, 2)
        let units = stage.all()
        #expect(units.map(\.kind) == [.keyframe, .sound, .picture])
        #expect(units.map(\.time) == [.zero, .zero, .milliseconds(33)])
        #expect(units.map(\.bytes) == [[1], [9], [2]])
        let statistics = stage.broadcast.statistics(now: stage.now)
        #expect(
            statistics.drops == [
                "broadcast-not-connected": 1, "broadcast-awaiting-keyframe": 1, "broadcast-before-start": 2,
            ])
        #expect(statistics.pictures == 2)
        #expect(statistics.keyframes == 1)
        #expect(statistics.sounds == 1)
        #expect(statistics.line == "live, 0.0 Mbit/s, 4 dropped")
    }

    /// The first picture may become too old while connecting: the stream then begins with the next keyframe, at time
    /// zero.
    @Test func beginsLate() {
        var stage = Stage()
        stage.goLive()
        stage.picture(true, 1)
        stage.wait(.milliseconds(900))
        stage.sound(at: stage.now)
        stage.wait(.milliseconds(200))
        stage.picture(true, 2)
        stage.sound(at: stage.now - .milliseconds(1), sample: 9600)
        stage.sound(at: stage.now, sample: 9600 + 960)
        let units = stage.all()
        #expect(units.map(\.kind) == [.keyframe, .sound])
        #expect(units.first?.time == .zero && units.first?.bytes == [2])
        #expect(
            stage.broadcast.statistics(now: stage.now).drops == [
                "broadcast-stale-picture": 1, "broadcast-before-start": 2,
            ])
    }

    /// Keyframes are requested every 2 s of capture time, independent of the encoding delay; again after a second
    /// without one.
    @Test func keyframesAreAskedFor() {
        var stage = Stage()
        stage.goLive()
        #expect(stage.broadcast.deadline?.at == stage.now + .seconds(1))
        _ = stage.waitForDeadline()
        #expect(stage.said() == [.event(.wantsKeyframe)])
        var asked = 0
        stage.picture(true)
        for _ in 0..<100 {
            stage.wait(.milliseconds(100))
            _ = stage.all()
            let wants = stage.said().contains(.event(.wantsKeyframe))
            asked += wants ? 1 : 0
            stage.picture(wants)
        }
        #expect(asked == 5)
    }

    /// A server that is unavailable at first, available, lost, and available again: delays grow, and are reset after a
    /// connection that lasted.
    @Test func retries() {
        var stage = Stage()
        _ = stage.said()
        let away = BroadcastFailure(.unreachable, "Nobody answers.")
        for wait in [500, 1000, 2000] {
            stage.handle(.disconnected(away))
            #expect(stage.said() == [.event(.state(.waiting(away)))])
            #expect(stage.broadcast.deadline?.at == stage.now + .milliseconds(wait))
            _ = stage.waitForDeadline()
            #expect(stage.said() == [.connect, .event(.state(.connecting))])
        }
        stage.goLive()
        stage.picture(true)
        stage.handle(.disconnected(Self.lost))
        #expect(stage.broadcast.deadline?.at == stage.now + .seconds(4))
        #expect(stage.broadcast.statistics(now: stage.now).drops["broadcast-lost-connection"] == 1)
        _ = stage.waitForDeadline()
        stage.goLive()
        stage.wait(.seconds(9))
        stage.handle(.disconnected(Self.lost))
        #expect(stage.broadcast.deadline?.at == stage.now + .milliseconds(500))
        _ = stage.waitForDeadline()
        // Timestamps restart at zero.
        stage.goLive()
        stage.picture(true)
        #expect(stage.all().map(\.time) == [.zero])
        #expect(stage.broadcast.statistics(now: stage.now).connections == 3)
    }

    @Test func waitsAsLongAsAskedFor() {
        var stage = Stage()
        _ = stage.said()
        var busy = BroadcastFailure(.busy, "The server takes nobody.")
        busy.retryAfter = .seconds(30)
        stage.handle(.disconnected(busy))
        #expect(stage.broadcast.deadline?.at == stage.now + .seconds(30))
        _ = stage.waitForDeadline()
        #expect(stage.said().contains(.connect))
    }

    /// The server's keyframe request is passed on, and repeated until a keyframe arrives; there are none without a
    /// connection.
    @Test func keyframeWanted() {
        var stage = Stage()
        _ = stage.said()
        stage.handle(.wantsKeyframe)
        #expect(stage.said() == [])
        stage.goLive()
        stage.picture(true)
        _ = stage.all()
        stage.handle(.wantsKeyframe)
        #expect(stage.said() == [.event(.wantsKeyframe)])
        #expect(stage.waitForDeadline()?.description == "a keyframe is due")
        #expect(stage.said() == [.event(.wantsKeyframe)])
        stage.picture(true)
        _ = stage.all()
        stage.wait(.milliseconds(1500))
        #expect(stage.said() == [])
    }

    @Test func refused() {
        var stage = Stage()
        _ = stage.said()
        let refusal = BroadcastFailure(.unauthorized, "The server refuses the key.")
        stage.handle(.disconnected(refusal))
        #expect(stage.said() == [.event(.state(.refused(refusal)))])
        #expect(stage.broadcast.deadline == nil)
        stage.picture(true)
        let statistics = stage.broadcast.statistics(now: stage.now)
        #expect(statistics.drops == ["broadcast-ended": 1])
        #expect(statistics.line == "refused, 1 dropped: The server refuses the key.")
    }

    /// A server that doesn't respond is given up after a time-out; one that is waited for deliberately is not.
    @Test func timesOut() {
        var stage = Stage()
        _ = stage.said()
        #expect(stage.waitForDeadline()?.description == "nobody answers")
        #expect(stage.said() == [.disconnect])
        stage.handle(.disconnected(Self.lost))
        guard case .event(.state(.waiting(let failure))) = stage.said().first else {
            Issue.record("it does not wait")
            return
        }
        #expect(failure?.kind == .unreachable)

        var listener = Stage { $0.connectTimeout = nil }
        #expect(listener.said() == [.connect, .event(.state(.waiting(nil)))])
        #expect(listener.broadcast.deadline == nil)
    }

    /// A stall of 10 s is reported, whole groups are dropped and counted, and the stream resumes with a keyframe.
    @Test func stalls() {
        var stage = Stage()
        stage.goLive()
        stage.picture(true)
        _ = stage.all()
        var (states, asked): ([BroadcastState], Int) = ([], 0)
        var wants = false
        for _ in 0..<300 {
            stage.wait(.milliseconds(33))
            stage.picture(wants)
            wants = false
            for output in stage.said() {
                if case .event(.state(let state)) = output { states.append(state) }
                if output == .event(.wantsKeyframe) {
                    wants = true
                    asked += 1
                }
            }
        }
        #expect(states == [.stalled])
        #expect((4...12).contains(asked))
        let before = stage.broadcast.statistics(now: stage.now)
        #expect(before.stalls == 1)
        #expect(before.queued <= .milliseconds(1033))
        #expect(before.drops["broadcast-stale-picture", default: 0] > 100)
        stage.picture(true)
        var expected = false
        for unit in stage.all() {
            #expect(expected || unit.kind == .keyframe)
            expected = true
        }
        #expect(stage.said() == [.event(.state(.live))])
        // Each picture is sent or counted as dropped.
        let after = stage.broadcast.statistics(now: stage.now)
        #expect(Int(after.pictures) + after.dropped == 302)
    }

    /// A stall without end leads to a new connection.
    @Test func stallsForGood() {
        var stage = Stage { $0.stallLimit = .seconds(30) }
        stage.goLive()
        stage.picture(true)
        let begin = stage.now
        while !stage.said().contains(.disconnect), stage.now - begin < .seconds(60) { _ = stage.waitForDeadline() }
        #expect(stage.now - begin == .seconds(30))
        stage.handle(.disconnected(Self.lost))
        guard case .event(.state(.waiting(let failure))) = stage.said().last else {
            Issue.record("it does not wait")
            return
        }
        #expect(failure?.kind == .stalled)
    }

    @Test func endsWhenAllIsSent() {
        var stage = Stage()
        stage.goLive()
        stage.picture(true, 1)
        stage.handle(.end)
        stage.picture(false, 2)
        #expect(stage.said() == [])
        #expect(stage.all().map(\.bytes) == [[1]])
        #expect(stage.said() == [.disconnect])
        stage.handle(.disconnected(Self.lost))
        #expect(stage.said() == [.event(.state(.ended))])
        #expect(stage.broadcast.isOver)
        #expect(stage.broadcast.statistics(now: stage.now).drops == ["broadcast-ended": 1])
    }

    /// The end is not delayed without limit by a server that receives nothing.
    @Test func endsInTime() {
        var stage = Stage()
        stage.goLive()
        stage.picture(true)
        stage.handle(.end)
        let begin = stage.now
        _ = stage.waitForDeadline()
        #expect(stage.now - begin == .milliseconds(1500))
        _ = stage.waitForDeadline()
        #expect(stage.now - begin == .seconds(2))
        #expect(stage.said().contains(.disconnect))
        stage.handle(.disconnected(Self.lost))
        #expect(stage.said().last == .event(.state(.ended)))
        #expect(stage.broadcast.statistics(now: stage.now).drops == ["broadcast-ended": 1])
    }

    @Test func endsWhileItConnects() {
        var stage = Stage()
        _ = stage.said()
        stage.handle(.end)
        #expect(stage.said() == [.disconnect])
        stage.handle(.disconnected(Self.lost))
        #expect(stage.said() == [.event(.state(.ended))])
    }

    @Test func soundAlone() {
        var stage = Stage(BroadcastTracks(video: nil, sound: .opus(channels: 2)))
        _ = stage.said()
        stage.handle(.connected)
        #expect(stage.said() == [.event(.state(.live))])
        stage.sound(at: stage.now)
        stage.picture(true)
        stage.handle(
            .sound(EncodedSound(encode: .aac, payload: [1], mediaTime: 0, frames: 1024, captured: stage.now)))
        #expect(stage.all().map(\.time) == [.zero])
        #expect(stage.broadcast.statistics(now: stage.now).drops == ["broadcast-unsuitable": 2])
    }

    /// Capture times in the future are ignored: the clock does not run ahead.
    @Test func impossibleCaptures() {
        var stage = Stage()
        stage.goLive()
        stage.picture(true)
        stage.wait(.milliseconds(33))
        stage.handle(
            .picture(BroadcastPicture(annexB: [1], captured: stage.now + .seconds(1000), isKeyframe: false)))
        stage.wait(.milliseconds(33))
        stage.picture()
        #expect(stage.all().map(\.time) == [0, 33, 66].map { .milliseconds($0) })
    }

    @Test func statistics() {
        var stage = Stage()
        stage.goLive()
        for _ in 0..<100 {
            stage.handle(
                .picture(
                    BroadcastPicture(annexB: Array(repeating: 0, count: 12500), captured: stage.now, isKeyframe: true)))
            _ = stage.all()
            stage.wait(.milliseconds(50))
        }
        stage.handle(.measured(BroadcastMeasurement(roundTrip: .milliseconds(34), sentBytes: 1_300_000)))
        var statistics = stage.broadcast.statistics(now: stage.now - .milliseconds(50))
        #expect((1_900_000...2_100_000).contains(statistics.rate.bitsPerSecond))
        #expect(statistics.line == "live, \(statistics.rate), round trip 34 ms")
        #expect(statistics.mediaBytes == 1_250_000)
        #expect(statistics.sentBytes == 1_300_000)
        stage.wait(.seconds(5))
        statistics = stage.broadcast.statistics(now: stage.now)
        #expect(statistics.rate.bitsPerSecond == 0)
        // The next connection counts from zero; the total continues.
        stage.handle(.disconnected(Self.lost))
        _ = stage.waitForDeadline()
        stage.handle(.connected)
        stage.handle(.measured(BroadcastMeasurement(roundTrip: nil, sentBytes: 7)))
        #expect(stage.broadcast.statistics(now: stage.now).sentBytes == 1_300_007)
    }
}
