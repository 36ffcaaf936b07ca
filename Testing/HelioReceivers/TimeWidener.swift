/// Widens 33-bit timestamps to 64 bits, each to the value that is nearest to the previous timestamp.
struct TimeWidener: Sendable {
    private var last: Int64?

    mutating func widen(_ time: Int64) -> Int64 {
        guard let last else {
            self.last = time
            return time
        }
        // The difference is reduced to 33 bits, with bit 32 as the sign.
        let distance = ((time &- last) << 31) >> 31
        let wide = last &+ distance
        self.last = wide
        return wide
    }
}
