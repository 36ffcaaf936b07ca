/// Where a track's packets lie in the file's time: without gaps, and in step with when they were heard.
///
/// A device's clock and the system's drift apart. What little they do in the length of a packet its time follows; what
/// was not sent, was lost or was silence that nobody sent becomes silence of the same length. All in sample frames of
/// 48 kHz since the file's begin.
struct SoundTimeline {
    /// How far a packet may be from the end of the one before it, and be taken for its successor: 60 ms.
    static let tolerance: Int64 = 2880
    /// The length of the shortest packet of Opus: 2.5 ms.
    static let shortest: Int64 = 120
    /// The share of what a packet is off by that its time follows.
    private static let gain: Int64 = 64

    enum Place: Equatable {
        /// After so much silence, at this time.
        case after(silence: Int64, at: Int64)
        /// All of it lies before the end of what is written.
        case late
    }

    /// The end of what is written.
    private(set) var end: Int64 = 0
    private var isBegun = false

    /// Places a packet of a length that was heard at a time.
    mutating func place(heard: Int64, length: Int64) -> Place {
        let error = heard - end
        if error < -Self.tolerance { return .late }
        let tolerance = isBegun ? Self.tolerance : Self.shortest
        if error >= tolerance {
            let silence = error / Self.shortest * Self.shortest
            let time = end + silence
            end = time + length
            isBegun = true
            return .after(silence: silence, at: time)
        }
        isBegun = true
        let most = max(1, length / 100)
        let time = end + min(max(error / Self.gain, -most), most)
        let at = max(0, time)
        end = at + length
        return .after(silence: 0, at: at)
    }

    /// Fills with silence up to a time, as nothing was heard.
    ///
    /// - Returns: where it begins, and how long it is; `nil` for less than a packet.
    mutating func fill(to time: Int64) -> (at: Int64, length: Int64)? {
        let length = (time - end) / 960 * 960
        guard length > 0 else { return nil }
        defer {
            end += length
            isBegun = true
        }
        return (end, length)
    }
}
