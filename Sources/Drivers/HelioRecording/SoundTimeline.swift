/// Assigns file times to a track's packets, without gaps and in sync with their capture.
///
/// A device's clock drifts against the system's clock. Packet times follow a drift that is small compared with a
/// packet; lost packets, and silence that was not sent, become silence of the same length. All times are sample frames
/// at 48 kHz since the file's start.
struct SoundTimeline {
    /// The maximum distance from the end of the previous packet at which a packet still counts as contiguous: 60 ms.
    static let tolerance: Int64 = 2880
    /// The length of the shortest packet of Opus: 2.5 ms.
    static let shortest: Int64 = 120
    /// The divisor of a packet's deviation: each packet's time is corrected by 1/64 of its deviation.
    private static let gain: Int64 = 64

    enum Place: Equatable {
        /// The packet is placed at the time `at`, after `silence` sample frames of silence.
        case after(silence: Int64, at: Int64)
        /// The packet begins more than `tolerance` before the end of the written sound.
        case late
    }

    /// The end of the written sound.
    private(set) var end: Int64 = 0
    private var isBegun = false

    /// Places a packet of `length` sample frames that was captured at `heard`.
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

    /// Fills the track with silence up to a time, because no packet has arrived.
    ///
    /// - Returns: the silence's start, and its length, a multiple of 20 ms; `nil` if less than 20 ms are missing.
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
