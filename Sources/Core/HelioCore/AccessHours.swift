/// A time of day in a machine's own time zone, to the minute.
public struct TimeOfDay: Sendable, Hashable, Comparable {
    private static let minutesOfDay = 24 * 60

    /// The minutes since midnight, 0 to 1439.
    public let minutes: Int

    /// Returns nil unless `minutes` is within a day.
    public init?(minutes: Int) {
        guard (0..<Self.minutesOfDay).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    /// Parses hours and minutes, such as `08:00`, each with two digits. `24:00` is midnight.
    public init?(_ text: some StringProtocol) {
        let digits = Array(text.utf8)
        guard digits.count == 5, digits[2] == UInt8(ascii: ":") else { return nil }
        let numbers = [0, 1, 3, 4].map { Int(digits[$0]) - Int(UInt8(ascii: "0")) }
        guard numbers.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let (hours, minutes) = (numbers[0] * 10 + numbers[1], numbers[2] * 10 + numbers[3])
        guard minutes < 60, hours * 60 + minutes <= Self.minutesOfDay else { return nil }
        self.minutes = (hours * 60 + minutes) % Self.minutesOfDay
    }

    /// Hours and minutes, such as `08:00`.
    public var text: String {
        func twoDigits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
    }

    /// Compares times of one day.
    public static func < (one: TimeOfDay, other: TimeOfDay) -> Bool { one.minutes < other.minutes }
}

/// The hours of each day at which a device may come, in the host's time zone: from `start` until before `end`.
public struct AccessHours: Sendable, Hashable {
    /// The first minute.
    public let start: TimeOfDay
    /// The end, which is earlier than `start` for hours that go on after midnight.
    public let end: TimeOfDay

    /// Returns nil for hours without length.
    public init?(from start: TimeOfDay, to end: TimeOfDay) {
        guard start != end else { return nil }
        self.start = start
        self.end = end
    }

    /// Parses hours such as `08:00-18:00`; `22:00-06:00` go on after midnight.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = TimeOfDay(parts[0]), let end = TimeOfDay(parts[1]) else { return nil }
        self.init(from: start, to: end)
    }

    /// The hours in the form that the initialiser parses.
    public var text: String { start.text + "-" + end.text }

    /// Returns whether a time is within the hours.
    public func contains(_ time: TimeOfDay) -> Bool {
        start < end ? start <= time && time < end : time >= start || time < end
    }
}
