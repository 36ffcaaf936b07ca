/// Widens times of 33 bits to 64, each to the value nearest to the previous time.
struct TimeWidener: Sendable {
    private var last: Int64?

    mutating func widen(_ time: Int64) -> Int64 {
        guard let last else {
            self.last = time
            return time
        }
        // The difference, with its 33rd bit as the sign.
        let distance = ((time &- last) << 31) >> 31
        let wide = last &+ distance
        self.last = wide
        return wide
    }
}
