import HelioCore
import HelioMedia
import Testing

@Suite("From one encode of sound to another")
struct SoundSwitchTests {
    /// The packets of one encode from `start` on, each available when it is complete.
    private static func packets(_ encode: SoundEncode, from start: Int64, until end: Int64) -> [EncodedSound] {
        let frames = Int64((encode.packetDuration.inSeconds * 48_000).rounded())
        return stride(from: start, to: end - frames + 1, by: Int(frames)).map {
            EncodedSound(
                encode: encode, payload: [1], mediaTime: $0, frames: Int(frames), captured: .zero)
        }
    }

    /// The packets of all lists in the order of their completion.
    private static func merged(_ lists: [EncodedSound]...) -> [EncodedSound] {
        lists.joined().sorted { $0.mediaTime + Int64($0.frames) < $1.mediaTime + Int64($1.frames) }
    }

    private static func sent(_ choice: inout SoundSwitch, _ packets: [EncodedSound]) -> [EncodedSound] {
        packets.filter { choice.takes($0) }
    }

    /// The sample frames that are missing between packets, and those that occur twice.
    private static func account(_ sent: [EncodedSound]) -> (missing: Int64, doubled: Int64) {
        zip(sent, sent.dropFirst()).reduce(into: (0, 0)) {
            let gap = $1.1.mediaTime - ($1.0.mediaTime + Int64($1.0.frames))
            $0.0 += max(0, gap)
            $0.1 += max(0, -gap)
        }
    }

    private static let all: [SoundEncode] = [.pcm, .opus, .thinOpus]

    @Test("nothing is missing, whatever the edges are; what comes twice is less than a packet", arguments: all, all)
    func everyOffset(from: SoundEncode, to: SoundEncode) {
        for offset in stride(from: Int64(0), to: 960, by: 40) {
            var choice = SoundSwitch(from)
            choice.change(to: to)
            #expect(choice.wanted == [from, to])
            let stream = Self.merged(
                Self.packets(from, from: 0, until: 48_000),
                from == to ? [] : Self.packets(to, from: 4800 + offset, until: 48_000))
            let sent = Self.sent(&choice, stream)
            let (missing, doubled) = Self.account(sent)
            #expect(missing == 0, "\(offset)")
            #expect(doubled < Int64(sent.last?.frames ?? 0), "\(offset): \(doubled)")
            #expect(sent.last?.encode == to && choice.current == to && choice.wanted == [to])
            // With packet boundaries at the same times, nothing is doubled.
            if offset.isMultiple(of: 240), to.packetDuration <= .milliseconds(5) { #expect(doubled == 0, "\(offset)") }
        }
    }

    @Test("what never comes is waited for, and nothing is left out meanwhile")
    func neverComes() {
        var choice = SoundSwitch(.opus)
        choice.change(to: .pcm)
        let sent = Self.sent(&choice, Self.packets(.opus, from: 0, until: 48_000))
        #expect(sent.count == 200 && choice.current == .opus)
    }

    @Test("what comes once and then no more is given up after 100 ms")
    func breaks() {
        var choice = SoundSwitch(.opus)
        choice.change(to: .thinOpus)
        let stream = Self.merged(
            Self.packets(.opus, from: 0, until: 48_000), Self.packets(.thinOpus, from: 4800, until: 5760))
        let sent = Self.sent(&choice, stream)
        #expect(Self.account(sent).missing <= 4800)
        #expect(sent.last?.mediaTime == Int64(48_000 - 240))
    }

    @Test("where the present one is silent the other begins at once")
    func silence() {
        var choice = SoundSwitch(.opus)
        #expect(Self.sent(&choice, Self.packets(.opus, from: 0, until: 4800)).count == 20)
        choice.change(to: .thinOpus)
        let sent = Self.sent(&choice, Self.packets(.thinOpus, from: 9600, until: 48_000))
        #expect(sent.first?.mediaTime == 9600)
    }

    @Test("a change that is taken back, or becomes another, is")
    func changesMind() {
        var choice = SoundSwitch(.opus)
        choice.change(to: .pcm)
        choice.change(to: .opus)
        #expect(choice.wanted == [.opus] && choice.next == nil)
        choice.change(to: .pcm)
        choice.change(to: .thinOpus)
        #expect(choice.wanted == [.opus, .thinOpus])
        #expect(Self.sent(&choice, Self.packets(.pcm, from: 0, until: 4800)).isEmpty)
    }

    @Test("after a pause whatever is wanted and comes first is sent")
    func restart() {
        var choice = SoundSwitch(.opus)
        _ = Self.sent(&choice, Self.packets(.opus, from: 0, until: 4800))
        choice.restart()
        choice.change(to: .thinOpus)
        #expect(Self.sent(&choice, Self.packets(.thinOpus, from: 0, until: 9600)).count == 10)
    }
}
