internal import DequeModule

/// The last frames of a stream to one peer, by index and by RTP timestamp, so that a timestamp in feedback can be
/// mapped to its frame.
package struct SentFrames: Sendable {
    /// The maximum number of frames kept: four seconds at 60 frames a second.
    package static let capacity = 256

    private struct Frame {
        let index: UInt64
        let timestamp: UInt32
        /// True if all of the frame was queued, and none of it was dropped.
        var isWhole = false
        var numbers = Numbers()
    }

    /// The numbers that identify a frame to a browser; each is `nil` if the frame was sent without it.
    struct Numbers: Sendable {
        /// The frame number in the dependency descriptor.
        var described: UInt16?
        /// The `frame_num`, as sent.
        var coded: Int?
    }

    /// The frames kept, in ascending order of their indices.
    private var frames = Deque<Frame>()

    package init() {}

    package mutating func removeAll() { frames.removeAll() }

    /// Records a frame from the encoder, whether it is sent or not.
    package mutating func note(_ index: UInt64, timestamp: UInt32) {
        if let last = frames.last, last.index >= index { frames.removeAll() }
        if frames.count >= Self.capacity { _ = frames.popFirst() }
        frames.append(Frame(index: index, timestamp: timestamp))
    }

    /// Records that all slices of the newest frame were queued.
    package mutating func noteWhole(_ index: UInt64) {
        guard let last = frames.indices.last, frames[last].index == index else { return }
        frames[last].isWhole = true
    }

    /// Records the numbers of the newest frame, which is about to be queued.
    mutating func number(_ index: UInt64, _ numbers: Numbers) {
        guard let last = frames.indices.last, frames[last].index == index else { return }
        frames[last].numbers = numbers
    }

    /// The numbers of a frame that was sent whole.
    func numbers(of index: UInt64) -> Numbers? { frames.last { $0.index == index && $0.isWhole }?.numbers }

    /// The frame with this RTP timestamp.
    func index(at timestamp: UInt32) -> UInt64? { frames.last { $0.timestamp == timestamp }?.index }

    /// Records that this frame and all after it were dropped, at least in part.
    package mutating func noteDropped(from index: UInt64) {
        for place in frames.indices.reversed() {
            guard frames[place].index >= index else { return }
            frames[place].isWhole = false
        }
    }

    /// The frame with this RTP timestamp; `nil` if it was not sent whole.
    package func whole(at timestamp: UInt32) -> UInt64? {
        frames.last { $0.timestamp == timestamp && $0.isWhole }?.index
    }

    /// The newest frame before `index` that was sent whole.
    package func whole(before index: UInt64) -> UInt64? {
        frames.last { $0.index < index && $0.isWhole }?.index
    }

    /// The RTP timestamp of the oldest frame kept whose index is `index` or higher.
    package func timestamp(from index: UInt64) -> UInt32? { frames.first { $0.index >= index }?.timestamp }
}
