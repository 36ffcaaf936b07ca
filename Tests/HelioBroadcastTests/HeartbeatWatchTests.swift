import HelioBroadcast
import HelioCore
import HelioFuzzing
import Testing

struct HeartbeatWatchTests {
    private struct Stage {
        var source = HeartbeatSource(now: .zero)
        var watch = HeartbeatWatch(now: .zero)
        var now = Instant.zero
        var file: HeartbeatRecord?
        var events: [HeartbeatEvent] = []
        var run: UInt64 = 1

        /// Advances the time in steps of 100 ms, with or without beats and looks.
        mutating func pass(_ seconds: Int, beats: Bool = true, looks: Bool = true) {
            for _ in 0..<seconds * 10 {
                now = now + .milliseconds(100)
                if beats { beat() }
                if looks { look() }
            }
        }

        mutating func beat() {
            source.tick(now: now)
            while let beat = source.poll() {
                file = HeartbeatRecord(run: run, sequence: beat.sequence, milliseconds: 0, isEnd: beat.isEnd)
            }
        }

        mutating func look() {
            watch.tick(now: now)
            while let output = watch.poll() {
                switch output {
                case .read: watch.handle(.read(file), now: now)
                case .event(let event): events.append(event)
                }
            }
        }

        mutating func end() {
            source.handle(.end, now: now)
            beat()
        }
    }

    @Test func beatsEachFiveSeconds() {
        var stage = Stage()
        stage.beat()
        #expect(stage.file?.sequence == 0)
        stage.pass(60)
        #expect(stage.file?.sequence == 12)
        #expect(stage.events == [.running])
    }

    /// Without a change for 15 s, and no earlier, the source counts as crashed; this is reported once.
    @Test func crashes() {
        var stage = Stage()
        stage.pass(20)
        let last = stage.now
        while stage.events.last != .crashed, stage.now - last < .seconds(60) { stage.pass(1, beats: false) }
        #expect(stage.now - last >= .seconds(15) && stage.now - last <= .seconds(17))
        stage.pass(100, beats: false)
        #expect(stage.events == [.running, .crashed])
        // A new run of the sender.
        stage.source = HeartbeatSource(now: stage.now)
        stage.run = 2
        stage.pass(1)
        #expect(stage.events == [.running, .crashed, .running])
    }

    @Test func ends() {
        var stage = Stage()
        stage.pass(12)
        stage.end()
        #expect(stage.file?.isEnd == true)
        #expect(stage.source.deadline == nil)
        stage.pass(100)
        #expect(stage.events == [.running, .ended])
    }

    /// A deleted file is no beat; a file that never existed is no crash.
    @Test func noFile() {
        var stage = Stage()
        stage.pass(100, beats: false)
        #expect(stage.events == [])
        stage.pass(5)
        stage.file = nil
        stage.pass(17, beats: false)
        #expect(stage.events == [.running, .crashed])
    }

    /// A file of an earlier sender: a crash is reported, a regular end is not.
    @Test(arguments: [true, false])
    func leftOver(isEnd: Bool) {
        var stage = Stage()
        stage.file = HeartbeatRecord(run: 9, sequence: 77, milliseconds: 0, isEnd: isEnd)
        stage.pass(30, beats: false)
        #expect(stage.events == (isEnd ? [] : [.crashed]))
    }

    /// Both processes were suspended for an hour: nothing is reported.
    @Test func suspended() {
        var stage = Stage()
        stage.pass(12)
        stage.now = stage.now + .seconds(3600)
        stage.look()
        stage.pass(5)
        #expect(stage.events == [.running])
    }

    static let hostile = [
        "", "heliograph-heartbeat", "heliograph-heartbeat 1 0000000000000001 2 3 running",
        "heliograph-heartbeat 2 0000000000000001 2 3 running\n", "heliograph-heartbeat 1 1 2 3 running\n",
        "heliograph-heartbeat 1 0000000000000001 02 3 running\n",
        "heliograph-heartbeat 1 0000000000000001 -2 3 running\n",
        "heliograph-heartbeat 1 0000000000000001 99999999999999999999 3 running\n",
        "heliograph-heartbeat 1 0000000000000001 2 3 walking\n",
        "heliograph-heartbeat 1 0000000000000001 2 3 running\n\n",
        "heliograph-heartbeat 1 0000000000000001 2  running\n", "heliograph-heartbeat 1 00000000000000AB 2 3 running\n",
    ]

    @Test(arguments: hostile)
    func malformed(text: String) { #expect(HeartbeatRecord(Array(text.utf8)) == nil) }

    @Test func recordsComeBack() {
        for record in [
            HeartbeatRecord(run: .max, sequence: .max, milliseconds: .max, isEnd: true),
            HeartbeatRecord(run: 0, sequence: 0, milliseconds: .min, isEnd: false),
        ] {
            #expect(record.bytes.count <= HeartbeatRecord.maximumSize)
            #expect(HeartbeatRecord(record.bytes) == record)
        }
        let text = "heliograph-heartbeat 1 00000000000000ab 2 3 running\n"
        #expect(HeartbeatRecord(run: 0xAB, sequence: 2, milliseconds: 3, isEnd: false).bytes == Array(text.utf8))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func seeds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        HeartbeatFuzz.run((0..<500).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
