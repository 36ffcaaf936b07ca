internal import ArgumentParser

/// The options of all commands that print statistics.
struct StatisticsArguments: ParsableArguments {
    /// The allowed seconds between two lines.
    private static let intervals = 0.05...3600

    @Flag(help: "Print statistics once a second, a line of JSON each.")
    var stats = false

    @Option(
        help: ArgumentHelp(
            "With --stats: the time between two lines, from 0.05 to 3600. Default: 1.", valueName: "seconds"))
    var statsInterval: Double?

    func validate() throws {
        if let statsInterval, !Self.intervals.contains(statsInterval) {
            throw ValidationError("--stats-interval \(statsInterval): give a number from 0.05 to 3600.")
        }
        try OptionNeed.check("--stats", stats, for: [("--stats-interval", statsInterval != nil)])
    }

    /// The time between two lines.
    var interval: Duration { .seconds(statsInterval ?? 1) }
}
