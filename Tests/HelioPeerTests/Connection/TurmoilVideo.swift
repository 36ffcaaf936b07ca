import HelioCore
import HelioPeer

/// A video stream that one end of a turmoil sends, and the state of its reception at the other.
struct TurmoilVideo {
    let end: Int
    var source: FrameSource
    /// The number of the last received frame.
    private var last = -1
    /// The first frame sent on good networks; at least one frame from there on must arrive.
    var goodFrom: Int?

    init(end: Int, _ transceiver: Transceiver.ID, number: Int, start: Instant) {
        self.end = end
        source = FrameSource(transceiver, interval: .milliseconds(200), start: start, seed: UInt64(number))
        source.size = 1000
    }

    var transceiver: Transceiver.ID { source.transceiver }

    /// True if a frame from the good time has arrived.
    var isSeen: Bool { goodFrom.map { last >= $0 } ?? true }

    /// Records a received frame: `nil` if it is not of this stream, else whether a decoder could continue.
    mutating func takes(_ frame: ReceivedFrame) -> Bool? {
        guard let number = source.numbers[frame.annexB] else { return nil }
        defer { last = number }
        return frame.isKeyframe ? number > last : number == last + 1
    }
}
