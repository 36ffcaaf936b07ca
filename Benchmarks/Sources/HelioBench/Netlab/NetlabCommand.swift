import Foundation
import HelioBudgets
import HelioCore

/// The network laboratory: our sender and receiver over named networks on virtual time, with a model of x264 in the
/// loop.
///
///     helio-bench netlab [--only NAME,...] [--seed N] [--json] [--trace] [--plot FILE.svg] [--keyframes]
///
/// Prints each network's figures and unmet requirements, or with `--json` a JSON object of the figures per line. The
/// same seed (1) gives the same figures, whichever networks are run. `--trace` adds each flow's target and received
/// rates for every half second, and the encoded and shown pictures; `--plot` draws rates, queue and freezes. With
/// `--keyframes` the encoder makes keyframes instead of repair pictures.
struct NetlabCommand {
    private let networks: [LabNetwork]
    private let seed: UInt64
    private let isJSON: Bool
    private let traces: Bool
    private let plot: String?

    /// Parses the arguments; throws `invalidArgument` for invalid ones.
    init(_ arguments: [String]) throws(HelioError) {
        var networks = LabNetwork.all
        var seed: UInt64 = 1
        var isJSON = false
        var traces = false
        var givesRepairs = true
        var plot: String?
        var rest = arguments[...]
        while let option = rest.popFirst() {
            if option == "--json" {
                isJSON = true
                continue
            }
            if option == "--keyframes" {
                givesRepairs = false
                continue
            }
            if option == "--trace" {
                traces = true
                continue
            }
            guard let value = rest.popFirst() else {
                throw HelioError(.invalidArgument, "\(option) is no option of netlab, or wants a value.")
            }
            switch option {
            case "--only": networks = try Self.networks(named: value)
            case "--seed":
                guard let number = UInt64(value) else {
                    throw HelioError(.invalidArgument, "--seed \(value): give a number")
                }
                seed = number
            case "--plot": plot = value
            default: throw HelioError(.invalidArgument, "\(option) is no option of netlab.")
            }
        }
        self.networks = networks.map { network in
            var network = network
            network.givesRepairs = givesRepairs
            return network
        }
        self.seed = seed
        self.isJSON = isJSON
        self.traces = traces
        self.plot = plot
    }

    private static func networks(named text: String) throws(HelioError) -> [LabNetwork] {
        let all = LabNetwork.all
        var chosen: [LabNetwork] = []
        for name in text.split(separator: ",") {
            guard let network = all.first(where: { $0.name == name }) else {
                let names = all.map(\.name).joined(separator: ", ")
                throw HelioError(.invalidArgument, "There is no network '\(name)': there are \(names).")
            }
            chosen.append(network)
        }
        return chosen
    }

    /// Runs the networks; returns whether all requirements are met, which `--json` does not evaluate.
    func run() throws -> Bool {
        var isMet = true
        var panels: [String] = []
        if !isJSON { print(Self.heading) }
        for network in networks {
            let outcome = try outcome(of: network)
            if isJSON {
                print(outcome.figures.json(network.name))
            } else {
                isMet = report(outcome) && isMet
            }
            if traces { print(outcome.trace, outcome.coded, separator: "\n") }
            if plot != nil { panels.append(LabPlot(outcome).panel(at: panels.count)) }
        }
        if let plot { try Data(LabPlot.document(panels).utf8).write(to: URL(fileURLWithPath: plot)) }
        return isMet
    }

    private func outcome(of network: LabNetwork) throws -> LabOutcome {
        var run = try LabRun(network, seed: seed)
        var outcome = try run.run()
        if network.comparesWithoutJitter {
            var other = try LabRun(network.withoutJitter, seed: seed)
            let even = try other.run()
            outcome.reference = LabOutcome.Reference(
                delivered: even.figures.delivered, pictureDelay: even.pictureDelay)
        }
        return outcome
    }

    // MARK: The table

    private static let columns: [(title: String, unit: String, width: Int)] = [
        ("capacity", "Mbit/s", 10), ("delivered", "Mbit/s", 10), ("used", "%", 7), ("queue p50", "ms", 11),
        ("p95", "ms", 8), ("frozen", "%", 9), ("freezes", "", 9), ("recover", "ms", 9), ("first picture", "ms", 14),
    ]

    private static var heading: String {
        let titles = columns.map { right($0.title, $0.width) }.joined()
        let units = columns.map { right($0.unit, $0.width) }.joined()
        return "\(left("network", 13))\(titles)\n\(left("", 13))\(units)"
    }

    /// Prints a network's row, and its unmet requirements below; returns whether all are met.
    private func report(_ outcome: LabOutcome) -> Bool {
        let figures = outcome.figures
        let texts = [
            Table.decimal(figures.capacity / 1e6, digits: 2), Table.decimal(figures.delivered / 1e6, digits: 2),
            Table.decimal(figures.utilisation * 100, digits: 1), Table.decimal(figures.medianQueue, digits: 1),
            Table.decimal(figures.longQueue, digits: 1), Table.decimal(figures.frozenShare * 100, digits: 2),
            "\(figures.freezes)", Table.decimal(figures.recovery, digits: 0),
            Table.decimal(figures.firstPicture, digits: 0),
        ]
        let verdicts = outcome.network.requirements.map { LabVerdict($0, outcome) }
        let isMet = verdicts.allSatisfy(\.isMet)
        let row = zip(texts, Self.columns).map { Self.right($0, $1.width) }.joined()
        print("\(Self.left(outcome.network.name, 13))\(row)  \(isMet ? "PASS" : "FAIL")")
        for verdict in verdicts where !verdict.isMet { print("    \(verdict.text)") }
        return isMet
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
