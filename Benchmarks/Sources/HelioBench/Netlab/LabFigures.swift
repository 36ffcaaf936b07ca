import HelioBudgets
/// The figures of a run, as they are printed.
struct LabFigures {
    /// The bottleneck's rate, on average over the run, in bits a second.
    var capacity: Double
    /// The media of our flows that arrived, each packet once, and their parity, in bits a second.
    var delivered: Double
    /// The share of what could have been delivered: of the capacity, or of what our flows had to send.
    var utilisation: Double
    /// The median of the times, in milliseconds, that our flows' packets waited at the bottleneck.
    var medianQueue: Double
    /// The time that 95 of 100 did not exceed.
    var longQueue: Double
    /// The share of the time in which the picture shown was too old, of the flow for which that was longest.
    var frozenShare: Double
    /// The times in which it was, of all our flows.
    var freezes: Int
    /// The median of their lengths in milliseconds, from the first change that was not shown; 0 where there are none.
    var recovery: Double
    /// The milliseconds from the beginning to the first picture, of the flow that waited longest; the whole run where
    /// none came.
    var firstPicture: Double

    /// The figures as a JSON object on a line.
    func json(_ network: String) -> String {
        let values = [
            ("capacity", Table.decimal(capacity, digits: 0)), ("delivered", Table.decimal(delivered, digits: 0)),
            ("utilisation", Table.decimal(utilisation, digits: 4)),
            ("queue_p50_ms", Table.decimal(medianQueue, digits: 2)),
            ("queue_p95_ms", Table.decimal(longQueue, digits: 2)),
            ("frozen_share", Table.decimal(frozenShare, digits: 5)), ("freezes", "\(freezes)"),
            ("recover_ms", Table.decimal(recovery, digits: 1)),
            ("first_picture_ms", Table.decimal(firstPicture, digits: 1)),
        ]
        let texts = values.map { "\"\($0.0)\": \($0.1)" }
        return "{\"network\": \"\(network)\", \(texts.joined(separator: ", "))}"
    }
}
