import HelioCore
import HelioPeer

/// A stream of video that one end of a turmoil sends, and what of it has come out at the other.
struct TurmoilVideo {
    let end: Int
    var source: FrameSource
    /// The number of the frame that came out last.
    private var last = -1
    /// The first frame of the good time; something from there on has to come out.
    var goodFrom: Int?

    init(end: Int, _ transceiver: Transceiver.ID, number: Int, start: Instant) {
        self.end = end
        source = FrameSource(transceiver, interval: .milliseconds(200), start: start, seed: UInt64(number))
        source.size = 1000
    }

    var transceiver: Transceiver.ID { source.transceiver }

    /// Whether it shows by now that what was lost is over.
    var isSeen: Bool { goodFrom.map { last >= $0 } ?? true }

    /// Takes note of a frame where it is of this stream: `nil` where it is not, else whether a decoder could go on.
    mutating func takes(_ frame: ReceivedFrame) -> Bool? {
        guard let number = source.numbers[frame.annexB] else { return nil }
        defer { last = number }
        return frame.isKeyframe ? number > last : number == last + 1
    }
}
