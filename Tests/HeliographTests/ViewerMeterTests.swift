import HelioCore
import Testing

@testable import HelioMedia
@testable import HelioSound
@testable import HelioViewing

@Suite("The statistics of a viewer are put together")
struct ViewerMeterTests {
    private static func picture(_ index: Int) -> DecodedFrame<FakePlatformDecoder.Picture> {
        let frame = ReceivedFrame(
            codec: .h264, annexB: [], mediaTime: Int64(index), frameIndex: UInt64(index), isKeyframe: true,
            firstArrival: .zero, completed: .zero)
        return DecodedFrame(
            picture: .init(number: 0, size: PixelSize(width: 640, height: 480)), frame: frame, decoded: .zero,
            byteCount: 0)
    }

    @Test("the first picture is reported at once, the others at each interval, by their number since the last report")
    func pictures() {
        var (meter, now) = (ViewerMeter(interval: .seconds(1), now: .zero), Instant.zero + .milliseconds(500))
        #expect(!meter.isDue(now: now))
        _ = meter.show(Self.picture(0), at: now, heard: nil)
        #expect(meter.isDue(now: now))
        let first = meter.report(.init(), now: now)
        #expect(first.frames == 1 && first.framesPerSecond == 2 && first.width == 640 && first.height == 480)
        #expect(first.latency["present"]?.max == 500)
        for index in 1...10 { _ = meter.show(Self.picture(index), at: now, heard: nil) }
        now = now + .milliseconds(999)
        #expect(!meter.isDue(now: now) && meter.nextReport == now + .milliseconds(1))
        now = now + .milliseconds(1)
        #expect(meter.isDue(now: now))
        let second = meter.report(.init(), now: now)
        #expect(second.frames == 11 && second.framesPerSecond == 10 && second.time == 1.5)
        let third = meter.report(.init(), now: now + .seconds(1))
        #expect(third.frames == 11 && third.framesPerSecond == 0 && third.latency.isEmpty)
    }

    @Test("of the session its last statistics count, and drops are those of the session and of the parts together")
    func session() {
        var meter = ViewerMeter(interval: .seconds(1), now: .zero)
        var (session, now) = (SinkStatistics(), Instant.zero)
        for count in 1...2 {
            now = now + .seconds(2)
            session.bytesReceived = count * 500_000
            session.video.packetsLost = count
            session.drops = ["late": count]
            meter.take(session, nil, now: now)
        }
        for _ in 0..<2 {
            let told = meter.report(.init(decoder: "a decoder", drops: ["late": 3, "undecodable": 1]), now: now)
            #expect(told.megabitsPerSecond == 2 && told.lost == 2 && told.decoder == "a decoder")
            #expect(told.drops == ["late": 5, "undecodable": 1])
        }
        // A connection that replaces this one counts from 0 again.
        session.bytesReceived = 1000
        meter.take(session, nil, now: now + .seconds(1))
        #expect(meter.report(.init(), now: now + .seconds(1)).megabitsPerSecond == 0)
    }

    @Test("there is no sound in the statistics before the first, unless the user has turned it off")
    func sound() {
        var meter = ViewerMeter(interval: .seconds(1), now: .zero)
        var sound = ViewerMeter.HeardSound(report: .init(), status: .init(), isOn: true)
        #expect(meter.report(.init(), now: .zero).sound == nil)
        #expect(meter.report(.init(sound: sound), now: .zero).sound == nil && !meter.hasHeard)
        sound.isOn = false
        #expect(meter.report(.init(sound: sound), now: .zero).sound?.isOn == false && !meter.hasHeard)
        sound.isOn = true
        #expect(meter.report(.init(sound: sound), now: .zero).sound == nil)
    }
}
