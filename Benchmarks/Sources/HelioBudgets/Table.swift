/// Prints measurements line by line: in columns of a fixed width, so that two runs can be compared, or as a JSON object
/// per line.
package struct Table {
    package var isJSON = false

    package init(isJSON: Bool = false) { self.isJSON = isJSON }

    package func title(_ text: String) {
        if !isJSON { print(text) }
    }

    /// Prints a row, and marks it if it exceeds `budget`; returns whether it doesn't.
    @discardableResult
    package func row(_ name: String, _ summary: Summary, ratio: Double? = nil, budget: Budget? = nil) -> Bool {
        let isKept = budget?.allows(summary, ratio: ratio) ?? true
        if isJSON {
            var values = [
                ("packets/s", summary.packetsPerSecond), ("allocations/packet", summary.allocationsPerPacket),
            ]
            if let ratio { values.append(("x libsrtp2", ratio)) }
            printObject(name, values, isKept: isKept)
            return isKept
        }
        let rate = Self.pad(Self.decimal(summary.packetsPerSecond / 1000, digits: 1), 9)
        let allocations = Self.decimal(summary.allocationsPerPacket, digits: 3)
        let comparison = ratio.map { "  \(Self.decimal($0, digits: 3)) x libsrtp2" } ?? ""
        let padding = String(repeating: " ", count: max(0, 44 - name.count))
        print(
            "\(name)\(padding)\(rate) k packets/s  \(allocations) allocations/packet\(comparison)\(isKept ? "" : "  OVER BUDGET")"
        )
        return isKept
    }

    /// Prints a row of values with their units.
    package func figure(_ name: String, _ values: [(unit: String, value: Double)], isKept: Bool = true) {
        if isJSON { return printObject(name, values, isKept: isKept) }
        let padding = String(repeating: " ", count: max(0, 44 - name.count))
        let texts = values.map { Self.pad(Self.decimal($0.value, digits: 1), 9) + " " + $0.unit }
        print("\(name)\(padding)\(texts.joined(separator: " "))\(isKept ? "" : "  OVER BUDGET")")
    }

    /// Prints the column titles above rows of `times`.
    package func columns(_ names: [String]) {
        if !isJSON { print(String(repeating: " ", count: 20) + names.map { Self.pad($0, 10) }.joined()) }
    }

    /// Prints a row with the times of the stages, with a resolution of a microsecond.
    package func times(_ name: String, _ stages: [(stage: String, milliseconds: Double)]) {
        if isJSON { return printObject(name, stages.map { ($0.stage, $0.milliseconds) }, isKept: true) }
        let padding = String(repeating: " ", count: max(0, 20 - name.count))
        print(name + padding + stages.map { Self.pad(Self.decimal($0.milliseconds, digits: 3), 10) }.joined())
    }

    /// Prints the median and the 99th percentile of times in microseconds.
    package func latency(_ name: String, _ times: [Double]) {
        let sorted = times.sorted()
        figure(name, [("us", Self.median(times)), ("us, 99th of 100", sorted[sorted.count * 99 / 100])])
    }

    private func printObject(_ name: String, _ values: [(String, Double)], isKept: Bool) {
        let figures = values.map { "\"\($0.0)\": \(Self.decimal($0.1, digits: 3))" }.joined(separator: ", ")
        print("{\"name\": \"\(name)\", \"figures\": {\(figures)}, \"isWithinBudget\": \(isKept)}")
    }

    package static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    package static func decimal(_ value: Double, digits: Int) -> String {
        var scale = 1
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int(value * Double(scale) + 0.5)
        guard digits > 0 else { return String(scaled) }
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
