import HelioBudgets
/// The printed figures of a run.
struct LabFigures {
    /// The mean rate of the bottleneck over the run, in bits per second.
    var capacity: Double
    /// The received media of our flows, each packet counted once, and their parity, in bits per second.
    var delivered: Double
    /// The delivered share of the capacity, or of what our flows had to send, if less.
    var utilisation: Double
    /// The median queuing delay of our flows' packets at the bottleneck, in milliseconds.
    var medianQueue: Double
    /// The 95th percentile of that delay, in milliseconds.
    var longQueue: Double
    /// The share of the time with a frozen picture, for the flow with the largest one.
    var frozenShare: Double
    /// The number of freezes, over all our flows.
    var freezes: Int
    /// The median length of the freezes in milliseconds, from the first change that was not shown; 0 if there are none.
    var recovery: Double
    /// The milliseconds from the start to the first picture, for the flow that waited longest; the length of the run if
    /// there was none.
    var firstPicture: Double

    /// The figures as a JSON object in one line.
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
