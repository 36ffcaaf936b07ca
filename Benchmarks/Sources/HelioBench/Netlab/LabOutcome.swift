import HelioBudgets
import HelioCore
import HelioSimulation

/// The outcome of a run: the measurements of its flows and of the bottleneck, and their figures.
struct LabOutcome {
    let network: LabNetwork
    /// The measurements of our flows.
    let meters: [LabMeter]
    /// The packets of each of our flows that have left the bottleneck, in order.
    let departures: [[LinkDeparture]]
    /// The received bits of the rival flow, by slot.
    let rivalBits: [Int]
    let figures: LabFigures
    /// The result of the same network without jitter, if it was run.
    var reference: Reference?

    struct Reference {
        /// The delivered rate, in bits per second.
        var delivered: Double
        /// The 95th percentile of the pictures' delays, in milliseconds.
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

    /// The bits that a flow had to send: the negotiated maximum for video, otherwise the encoded bits.
    private static func offered(_ meter: LabMeter, _ network: LabNetwork) -> Double {
        guard case .video = network.script else { return Double(meter.codedBits) }
        return Double(network.ceiling.bitsPerSecond) * (meter.end - meter.start).inSeconds
    }

    /// A percentile of sorted values; 0 if there are none.
    ///
    /// - Parameter sorted: the values in ascending order.
    static func percentile(_ percent: Int, of sorted: [Double]) -> Double {
        sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
    }

    // MARK: Parts of the run

    /// The mean target bitrate of the first flow's encoder in a part of the run, in bits per second.
    func target(from: Duration, for time: Duration) -> Double {
        let part = Self.slots(from: from, to: from + time, of: meters[0].targets)
        return part.isEmpty ? 0 : Double(part.reduce(0, +)) / Double(part.count)
    }

    /// The queuing delays of the first flow's packets that left in a part of the run, in milliseconds and ascending
    /// order.
    func waits(from: Duration, for time: Duration) -> [Double] {
        let (begin, end) = (Instant.zero + from, Instant.zero + from + time)
        return departures[0].filter { begin <= $0.left && $0.left < end }.map(\.waited.milliseconds).sorted()
    }

    /// The first flow's share of everything delivered after a time of the run.
    func share(after time: Duration) -> Double {
        let all = meters.map(\.delivered) + [rivalBits]
        let parts = all.map { Double(Self.slots(from: time, to: network.length, of: $0).reduce(0, +)) }
        let sum = parts.reduce(0, +)
        return sum > 0 ? parts[0] / sum : 0
    }

    /// The highest ratio of sent bits to the path's capacity within any second after a time of the run.
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

    /// The 95th percentile of the first flow's picture delays in milliseconds; the length of the run if there was no
    /// picture.
    var pictureDelay: Double {
        let delays = meters[0].pictureDelays
        return delays.isEmpty ? network.length.milliseconds : Self.percentile(95, of: delays)
    }

    /// The 95th percentile of the times from a screen change to the picture that shows it, in milliseconds; the length
    /// of the run if none was shown.
    var changeDelay: Double {
        let delays = meters[0].changeDelays
        return delays.isEmpty ? network.length.milliseconds : Self.percentile(95, of: delays)
    }

    /// For every half second of the run, each flow's target, sent and received rate, and the first flow's queuing
    /// delay: a line each, in Mbit/s and milliseconds.
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

    /// A line with the first flow's numbers of keyframes and repair pictures, and the cost of all its pictures.
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
