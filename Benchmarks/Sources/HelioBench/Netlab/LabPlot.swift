import HelioBudgets
import HelioCore
import HelioSimulation

/// A plot of a run, as a panel of an SVG document: rates and the capacity, the queue below, and the freezes behind
/// both.
struct LabPlot {
    private static let width = 1000.0
    private static let height = 270.0
    /// The height of the legend.
    private static let head = 40.0
    private static let left = 70.0
    private static let right = 980.0

    /// The area of a panel in which values are plotted, with their range.
    private struct Area {
        let top: Double
        let bottom: Double
        let most: Double

        func y(_ value: Double) -> Double { bottom - min(1.02, max(0, value / most)) * (bottom - top) }
    }

    private let outcome: LabOutcome
    private let seconds: Double

    init(_ outcome: LabOutcome) {
        self.outcome = outcome
        seconds = outcome.network.length.inSeconds
    }

    /// Returns the whole SVG document.
    static func document(_ panels: [String]) -> String {
        let height = head + Double(panels.count) * Self.height
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(number(width))\" height=\"\(number(height))\" "
                + "viewBox=\"0 0 \(number(width)) \(number(height))\" font-family=\"sans-serif\" font-size=\"12\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
        ]
        let legend = [
            ("capacity", capacityColor), ("target", targetColor), ("delivered", deliveredColor),
            ("another's flow", rivalColor), ("queue", queueColor), ("frozen", frozenColor),
        ]
        for (index, (name, color)) in legend.enumerated() {
            let x = left + Double(index) * 140
            lines.append(
                "<rect x=\"\(number(x))\" y=\"14\" width=\"18\" height=\"10\" fill=\"\(color)\"/>"
                    + "<text x=\"\(number(x + 24))\" y=\"23\">\(name)</text>")
        }
        return (lines + panels + ["</svg>", ""]).joined(separator: "\n")
    }

    /// Returns the panel at an index, counted from the top.
    func panel(at index: Int) -> String {
        let rates = Area(top: 30, bottom: 150, most: mostRate)
        let queues = Area(top: 172, bottom: 222, most: max(50, queue.max() ?? 0))
        let top = Self.head + Double(index) * Self.height
        var lines = ["<g transform=\"translate(0 \(Self.number(top)))\">"]
        lines.append(
            "<text x=\"\(Self.number(Self.left))\" y=\"20\" font-size=\"14\" font-weight=\"bold\">"
                + "\(outcome.network.name)</text>")
        for meter in outcome.meters { lines += freezes(of: meter, from: rates.top, to: queues.bottom) }
        lines += frame(rates, unit: "Mbit/s", scale: 1e6)
        lines += frame(queues, unit: "queue, ms", scale: 1)
        lines += timeAxis(below: queues.bottom)
        lines.append(line(capacity, in: rates, Self.capacityColor, width: 2.5))
        if outcome.network.hasRival { lines.append(line(smooth(outcome.rivalBits), in: rates, Self.rivalColor)) }
        for (number, meter) in outcome.meters.enumerated() {
            // Flows of one network are distinguished by dashes, except for the first.
            let dashes = number == 0 ? "" : "5 3"
            lines.append(line(meter.targets.map { Double($0) }, in: rates, Self.targetColor, dashes: dashes))
            lines.append(line(smooth(meter.delivered), in: rates, Self.deliveredColor, dashes: dashes))
        }
        lines.append(line(queue, in: queues, Self.queueColor))
        lines.append("</g>")
        return lines.joined(separator: "\n")
    }

    // MARK: Colours

    private static let capacityColor = "#9a9a9a"
    private static let targetColor = "#1f6fd0"
    private static let deliveredColor = "#e07b00"
    private static let rivalColor = "#8e44ad"
    private static let queueColor = "#1a8a4a"
    private static let frozenColor = "#f4a6a6"

    // MARK: Values, by slot

    private var slotCount: Int { Int(outcome.network.length.nanoseconds / LabMeter.slot.nanoseconds) }

    /// The capacity in bits per second, limited to the panel's range.
    private var capacity: [Double] {
        let most = mostRate * 1.02
        return (0..<slotCount).map { min(outcome.network.capacity(at: LabMeter.slot * $0), most) }
    }

    /// The longest queuing delay of our flows' packets by slot, in milliseconds.
    private var queue: [Double] {
        var waits = [Double](repeating: 0, count: slotCount)
        for departure in outcome.departures.joined() {
            let slot = Int(departure.left.nanoseconds / LabMeter.slot.nanoseconds)
            if waits.indices.contains(slot) { waits[slot] = max(waits[slot], departure.waited.milliseconds) }
        }
        return waits
    }

    /// Converts the bits of slots to bits per second, averaged over a quarter of a second.
    private func smooth(_ bits: [Int]) -> [Double] {
        let span = 5
        let slot = LabMeter.slot.inSeconds
        return bits.indices.map { index in
            let part = bits[max(0, index - span + 1)...index]
            return Double(part.reduce(0, +)) / (Double(part.count) * slot)
        }
    }

    /// The maximum of the rates' range: a link far faster than any flow is not drawn to scale.
    private var mostRate: Double {
        let ceiling = Double(outcome.network.ceiling.bitsPerSecond) * 1.5
        let most = outcome.network.phases.map { Double($0.conditions.rate?.bitsPerSecond ?? 0) }.max() ?? 0
        let targets = outcome.meters.compactMap { $0.targets.max() }.max() ?? 0
        let delivered = outcome.meters.flatMap { smooth($0.delivered) }.max() ?? 0
        let seen = max(Double(targets), delivered)
        return max(1000, min(most, ceiling), min(seen, ceiling)) * 1.1
    }

    // MARK: Drawing

    private func x(_ time: Double) -> Double { Self.left + (Self.right - Self.left) * min(1, time / seconds) }

    private func line(
        _ values: [Double], in area: Area, _ color: String, width: Double = 1.3, dashes: String = ""
    ) -> String {
        let slot = LabMeter.slot.inSeconds
        let points = values.prefix(slotCount).enumerated().map { index, value in
            "\(Self.number(x(Double(index) * slot))),\(Self.number(area.y(value)))"
        }
        let style = dashes.isEmpty ? "" : " stroke-dasharray=\"\(dashes)\""
        return "<polyline fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(Self.number(width))\"\(style) "
            + "points=\"\(points.joined(separator: " "))\"/>"
    }

    private func freezes(of meter: LabMeter, from top: Double, to bottom: Double) -> [String] {
        meter.freezes.map { freeze in
            let from = x((freeze.from - Instant.zero).inSeconds)
            let to = x((freeze.to - Instant.zero).inSeconds)
            // Even a short freeze must be visible.
            return "<rect x=\"\(Self.number(from))\" y=\"\(Self.number(top))\" "
                + "width=\"\(Self.number(max(1.5, to - from)))\" height=\"\(Self.number(bottom - top))\" "
                + "fill=\"\(Self.frozenColor)\" fill-opacity=\"0.7\"/>"
        }
    }

    private func frame(_ area: Area, unit: String, scale: Double) -> [String] {
        var lines: [String] = []
        for part in [0, 0.5, 1] {
            let y = area.y(area.most * part)
            let text = Table.decimal(area.most * part / scale, digits: area.most / scale < 10 ? 2 : 0)
            lines.append(rule(Self.left, y, Self.right, y, "#dddddd"))
            lines.append(
                "<text x=\"\(Self.number(Self.left - 6))\" y=\"\(Self.number(y + 4))\" "
                    + "text-anchor=\"end\">\(text)</text>")
        }
        lines.append(rule(Self.left, area.top, Self.left, area.bottom, "#555555"))
        lines.append(rule(Self.left, area.bottom, Self.right, area.bottom, "#555555"))
        let middle = Self.number((area.top + area.bottom) / 2)
        lines.append(
            "<text x=\"14\" y=\"\(middle)\" text-anchor=\"middle\" "
                + "transform=\"rotate(-90 14 \(middle))\">\(unit)</text>")
        return lines
    }

    private func timeAxis(below y: Double) -> [String] {
        var lines: [String] = []
        for second in stride(from: 0.0, through: seconds, by: 5) {
            let place = x(second)
            lines.append(rule(place, y, place, y + 4, "#555555"))
            lines.append(
                "<text x=\"\(Self.number(place))\" y=\"\(Self.number(y + 17))\" "
                    + "text-anchor=\"middle\">\(Table.decimal(second, digits: 0))</text>")
        }
        lines.append(
            "<text x=\"\(Self.number(Self.right))\" y=\"\(Self.number(y + 32))\" text-anchor=\"end\">seconds</text>")
        return lines
    }

    private func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String) -> String {
        "<line x1=\"\(Self.number(x1))\" y1=\"\(Self.number(y1))\" x2=\"\(Self.number(x2))\" "
            + "y2=\"\(Self.number(y2))\" stroke=\"\(color)\"/>"
    }

    /// Formats a coordinate; it is never negative.
    private static func number(_ value: Double) -> String { Table.decimal(value, digits: 1) }
}
