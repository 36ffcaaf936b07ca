import HelioBudgets
import HelioCore
import HelioSimulation

/// What came of a run: what was noted of its flows and of the bottleneck, and the figures of that.
struct LabOutcome {
    let network: LabNetwork
    /// Our flows.
    let meters: [LabMeter]
    /// The packets of each of our flows that have left the bottleneck, in order.
    let departures: [[LinkDeparture]]
    /// The bits of a rival's flow that came, by slot.
    let rivalBits: [Int]
    let figures: LabFigures
    /// What the same network did without jitter, where it was run.
    var reference: Reference?

    struct Reference {
        /// In bits a second.
        var delivered: Double
        /// The delay of pictures that 95 of 100 did not exceed, in milliseconds.
        var pictureDelay: Double
    }

    init(_ network: LabNetwork, meters: [LabMeter], departures: [[LinkDeparture]], rivalBits: [Int]) {
        self.network = network
        self.meters = meters
        self.departures = departures
        self.rivalBits = rivalBits
        let seconds = network.length.inSeconds
        let capacity = network.capacityBits(from: .zero, to: network.length) / seconds
        let delivered = meters.reduce(0.0) { $0 + Double($1.delivered.reduce(0, +)) } / seconds
        let offered = meters.reduce(0.0) { $0 + Self.offered($1, network) } / seconds
        let waits = departures.flatMap { $0 }.map(\.waited.milliseconds).sorted()
        let freezes = meters.flatMap(\.freezes)
        let standstills = freezes.map { ($0.to - $0.outdated).milliseconds }.sorted()
        let first = meters.map { ($0.firstPicture ?? network.length).milliseconds }.max()
        figures = LabFigures(
            capacity: capacity, delivered: delivered, utilisation: delivered / max(1, min(capacity, offered)),
            medianQueue: Self.percentile(50, of: waits), longQueue: Self.percentile(95, of: waits),
            frozenShare: meters.map(\.frozenShare).max() ?? 1, freezes: freezes.count,
            recovery: Self.percentile(50, of: standstills), firstPicture: first ?? network.length.milliseconds)
    }

    /// The bits that a flow had to send: video as much as was agreed on, all else what was coded.
    private static func offered(_ meter: LabMeter, _ network: LabNetwork) -> Double {
        guard case .video = network.script else { return Double(meter.codedBits) }
        return Double(network.ceiling.bitsPerSecond) * (meter.end - meter.start).inSeconds
    }

    /// The value that so many of 100 don't exceed; 0 where there are none.
    ///
    /// - Parameter sorted: the values in rising order.
    static func percentile(_ percent: Int, of sorted: [Double]) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
    }

    // MARK: Parts of the run

    /// The rate that was asked of the encoder of the first flow, on average over a part of the run, in bits a second.
    func target(from: Duration, for time: Duration) -> Double {
        let part = Self.slots(from: from, to: from + time, of: meters[0].targets)
        return part.isEmpty ? 0 : Double(part.reduce(0, +)) / Double(part.count)
    }

    /// The times that packets of the first flow waited which left in a part of the run, in milliseconds and rising
    /// order.
    func waits(from: Duration, for time: Duration) -> [Double] {
        let (begin, end) = (Instant.zero + from, Instant.zero + from + time)
        return departures[0].filter { begin <= $0.left && $0.left < end }.map(\.waited.milliseconds).sorted()
    }

    /// The share that the first flow has of all that was delivered after a time of the run.
    func share(after time: Duration) -> Double {
        let all = meters.map(\.delivered) + [rivalBits]
        let parts = all.map { Double(Self.slots(from: time, to: network.length, of: $0).reduce(0, +)) }
        let sum = parts.reduce(0, +)
        return sum > 0 ? parts[0] / sum : 0
    }

    /// The most that was given to the path within any second after a time of the run, as a share of what the path
    /// carried in it.
    func overshoot(after time: Duration) -> Double {
        let second = Duration.seconds(1)
        var most = 0.0
        var from = time
        while from + second <= network.length {
            let sent = meters.reduce(0) { $0 + Self.slots(from: from, to: from + second, of: $1.sent).reduce(0, +) }
            most = max(most, Double(sent) / max(1, network.capacityBits(from: from, to: from + second)))
            from = from + LabMeter.slot
        }
        return most
    }

    /// The delay of the first flow's pictures that 95 of 100 did not exceed, in milliseconds; the whole run where none
    /// came.
    var pictureDelay: Double {
        let delays = meters[0].pictureDelays
        return delays.isEmpty ? network.length.milliseconds : Self.percentile(95, of: delays)
    }

    /// The time from a change of the screen to the picture that shows it which 95 of 100 did not exceed, in
    /// milliseconds; the whole run where none was shown.
    var changeDelay: Double {
        let delays = meters[0].changeDelays
        return delays.isEmpty ? network.length.milliseconds : Self.percentile(95, of: delays)
    }

    /// What each flow wanted, sent and got in every half second of the run, and how long the first flow's packets
    /// waited: a line each, in Mbit/s and milliseconds.
    var trace: String {
        let step = Duration.milliseconds(500)
        var lines: [String] = []
        var from = Duration.zero
        while from + step <= network.length {
            func rate(_ values: [Int]) -> String {
                let bits = Self.slots(from: from, to: from + step, of: values).reduce(0, +)
                return Table.decimal(Double(bits) / step.inSeconds / 1e6, digits: 2)
            }
            let flows = meters.map { meter in
                let part = Self.slots(from: from, to: from + step, of: meter.targets)
                let target = Double(part.reduce(0, +)) / Double(max(1, part.count))
                return "wants \(Table.decimal(target / 1e6, digits: 2)), sends \(rate(meter.sent)), "
                    + "delivers \(rate(meter.delivered))"
            }
            let waits = waits(from: from, for: step)
            lines.append(
                "    \(Table.decimal(from.inSeconds, digits: 1)) s: \(flows.joined(separator: " | "))"
                    + (network.hasRival ? " | rival \(rate(rivalBits))" : "")
                    + "; queue \(Table.decimal(Self.percentile(50, of: waits), digits: 1))"
                    + " to \(Table.decimal(waits.last ?? 0, digits: 1))")
            from = from + step
        }
        return lines.joined(separator: "\n")
    }

    /// What the first flow coded so that its viewer could go on, and what all of its pictures took: a line.
    var coded: String {
        let meter = meters[0]
        return "    coded: \(meter.keyframes) keyframes and \(meter.repairPictures) repair pictures, "
            + "\(Table.decimal(Double(meter.entryBits) / 8e3, digits: 0)) kB of "
            + "\(Table.decimal(Double(meter.codedBits) / 8e3, digits: 0)) kB; pictures shown: \(meter.pictures.count)"
    }

    private static func slots(from: Duration, to: Duration, of values: [Int]) -> ArraySlice<Int> {
        let slot = LabMeter.slot.nanoseconds
        let begin = min(values.count, Int(from.nanoseconds / slot))
        let end = min(values.count, Int(to.nanoseconds / slot))
        return values[begin..<max(begin, end)]
    }
}
