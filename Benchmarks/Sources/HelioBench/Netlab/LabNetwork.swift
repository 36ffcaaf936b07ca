import HelioCore
import HelioSimulation

/// A simulated network: its links, its flows, and their requirements.
struct LabNetwork: Sendable {
    /// The conditions of both directions from `at` on.
    struct Phase: Sendable {
        var at: Duration
        var conditions: LinkConditions
    }

    let name: String
    var phases: [Phase]
    var requirements: [LabRequirement]
    var script = LabContent.Script.video
    /// The negotiated maximum bitrate of each of our flows.
    var ceiling = Bitrate.megabits(20)
    var length = Duration.seconds(30)
    /// The start times of our flows.
    var starts: [Duration] = [.zero]
    /// Whether a TCP CUBIC flow shares the link.
    var hasRival = false
    /// Whether the encoder makes repair pictures; if not, it makes keyframes instead.
    var givesRepairs = true
    /// Whether the network is also run without jitter, for requirements that compare both runs.
    var comparesWithoutJitter = false

    init(_ name: String, _ conditions: LinkConditions, _ requirements: [LabRequirement]) {
        self.name = name
        phases = [Phase(at: .zero, conditions: conditions)]
        self.requirements = requirements
    }

    /// The same network without jitter.
    var withoutJitter: LabNetwork {
        var network = self
        network.comparesWithoutJitter = false
        for index in network.phases.indices { network.phases[index].conditions.jitter = .zero }
        return network
    }

    // MARK: Capacity

    /// The rate of the bottleneck at a time of the run, in bits per second.
    func capacity(at time: Duration) -> Double {
        let phase = phases.last { $0.at <= time } ?? phases[0]
        return Double(phase.conditions.rate?.bitsPerSecond ?? 0)
    }

    /// The bits that the bottleneck can carry in a part of the run.
    func capacityBits(from: Duration, to: Duration) -> Double {
        var bits = 0.0
        for (index, phase) in phases.enumerated() {
            let end = index + 1 < phases.count ? phases[index + 1].at : length
            let time = min(end, to) - max(phase.at, from)
            if time > .zero { bits += Double(phase.conditions.rate?.bitsPerSecond ?? 0) * time.inSeconds }
        }
        return bits
    }

    // MARK: The networks

    /// All networks, in the order of their runs.
    static var all: [LabNetwork] { [steady, changing, lossy, unsteady, text, lossyText, shared].flatMap { $0 } }

    private static let steadyRequirements: [LabRequirement] = [
        .utilisation(0.85), .queue(.milliseconds(40)), .frozen(0.002),
    ]

    /// - Parameter queue: the bottleneck's queue, as a duration at its rate.
    private static func link(
        _ rate: Bitrate, roundTrip: Duration, queue: Duration = .milliseconds(250)
    ) -> LinkConditions {
        LinkConditions(
            delay: roundTrip / 2, rate: rate,
            queueBytes: Int(Double(rate.bitsPerSecond) / 8 * queue.inSeconds))
    }

    private static let home = link(.megabits(10), roundTrip: .milliseconds(30))
    private static let goodWiFi = link(.megabits(30), roundTrip: .milliseconds(10))

    private static var steady: [LabNetwork] {
        let lan = LinkConditions(delay: .microseconds(150), rate: .megabits(1000), queueBytes: 2_000_000)
        var wifi = LabNetwork("wifi_good", goodWiFi, steadyRequirements)
        wifi.ceiling = .megabits(30)
        return [
            LabNetwork("lan", lan, steadyRequirements), wifi, LabNetwork("home", home, steadyRequirements),
            LabNetwork("lte", link(.megabits(6), roundTrip: .milliseconds(60)), steadyRequirements),
            LabNetwork("hotel", link(.megabits(2), roundTrip: .milliseconds(50)), steadyRequirements),
        ]
    }

    private static var changing: [LabNetwork] {
        let (down, up) = (Duration.seconds(15), Duration.seconds(25))
        let wide = link(.megabits(20), roundTrip: .milliseconds(30))
        var step = LabNetwork(
            "step", wide,
            [
                .rateDown(at: down, within: .milliseconds(300)),
                .drained(at: down, within: .seconds(1), to: .milliseconds(40)),
                .rateBack(former: down, from: up, within: .seconds(2), share: 0.9),
            ])
        step.phases.append(Phase(at: down, conditions: link(.megabits(2), roundTrip: .milliseconds(30))))
        step.phases.append(Phase(at: up, conditions: wide))
        step.length = .seconds(40)

        let turn = Duration.seconds(20)
        var route = LabNetwork(
            "route", home, [.rateBack(former: turn, from: turn, within: .seconds(3), share: 0.9)])
        var longer = home
        longer.delay = home.delay + .milliseconds(100)
        route.phases.append(Phase(at: turn, conditions: longer))
        route.length = .seconds(40)
        return [step, route]
    }

    private static var lossy: [LabNetwork] {
        var all: [LabNetwork] = []
        for (percent, frozen) in [(1, 0.01), (5, 0.01), (10, 0.03), (20, 0.05)] {
            for roundTrip in [20, 100, 200] {
                var conditions = link(.megabits(20), roundTrip: .milliseconds(roundTrip))
                conditions.loss = .random(Double(percent) / 100)
                all.append(
                    LabNetwork("loss\(percent)_\(roundTrip)", conditions, [.utilisation(0.7), .frozen(frozen)]))
            }
        }
        var bursts = link(.megabits(20), roundTrip: .milliseconds(20))
        // Bursts of eight packets on average, all of which are lost; together 2 % of the packets: the share of the time
        // spent in bursts is entering / (entering + leaving).
        bursts.loss = .bursts(entering: 0.02 / 0.98 / 8, leaving: 1 / 8.0, lossInBurst: 1)
        all.append(LabNetwork("bursts", bursts, [.frozen(0.01)]))
        return all
    }

    private static var unsteady: [LabNetwork] {
        var conditions = link(.megabits(10), roundTrip: .milliseconds(40))
        conditions.jitter = .milliseconds(30)
        var jitter = LabNetwork(
            "jitter", conditions, [.rateOfReference(0.9), .delayOverReference(.milliseconds(40))])
        jitter.comparesWithoutJitter = true

        var controlled = home
        controlled.discipline = .codel
        var gathering = goodWiFi
        gathering.aggregation = LinkAggregation()
        var aggregation = LabNetwork("aggregation", gathering, steadyRequirements)
        aggregation.ceiling = .megabits(30)
        return [jitter, LabNetwork("codel", controlled, steadyRequirements), aggregation]
    }

    private static var text: [LabNetwork] {
        let always = LabContent.Script.typing(from: .seconds(3), active: .seconds(3600), rest: .zero)
        var slow = LabNetwork(
            "slow", link(.kilobits(300), roundTrip: .milliseconds(60)),
            [.firstPicture(.seconds(2)), .keystroke(.milliseconds(400)), .overshoot(1.1, after: .seconds(2))])
        slow.script = always
        slow.length = .seconds(40)
        var text5 = LabNetwork(
            "text5", link(.megabits(5), roundTrip: .milliseconds(40)), [.firstPicture(.seconds(1))])
        text5.script = always
        text5.length = .seconds(20)
        var typing = LabNetwork("home_typing", home, [.frozen(0), .latency(.milliseconds(100))])
        typing.script = .typing(from: .seconds(5), active: .seconds(2), rest: .seconds(10))
        typing.length = .seconds(62)
        var scroll = LabNetwork("home_scroll", home, [.queue(.milliseconds(40)), .frozen(0.002)])
        scroll.script = .scroll(active: .seconds(2), rest: .seconds(3))
        scroll.length = .seconds(40)
        return [slow, text5, typing, scroll]
    }

    /// Networks with loss or a drop of the rate, and content that repair pictures can repair.
    private static var lossyText: [LabNetwork] {
        let scroll = LabContent.Script.scroll(active: .seconds(2), rest: .seconds(1))
        let typing = LabContent.Script.typing(from: .seconds(1), active: .seconds(3600), rest: .zero)
        var all: [LabNetwork] = []
        for (suffix, script) in [("scroll", scroll), ("typing", typing)] {
            for name in ["bursts", "loss20_100", "step"] {
                guard var network = (lossy + changing).first(where: { $0.name == name }) else { continue }
                network = network.named("\(name)_\(suffix)", requiring: [.frozen(0.03)])
                network.script = script
                all.append(network)
            }
        }
        return all
    }

    private func named(_ name: String, requiring requirements: [LabRequirement]) -> LabNetwork {
        var network = LabNetwork(name, phases[0].conditions, requirements)
        network.phases = phases
        network.length = length
        network.ceiling = ceiling
        return network
    }

    private static var shared: [LabNetwork] {
        var two = LabNetwork("two", home, [.share(0.4...0.6, after: .seconds(10))])
        // Not in step: otherwise each flow would find the queue as the other left it, and always the same one would be
        // first.
        two.starts = [.zero, .milliseconds(505)]
        two.length = .seconds(40)
        var latecomer = LabNetwork("latecomer", home, [.share(0.4...0.6, after: .seconds(25))])
        latecomer.starts = [.zero, .seconds(15)]
        latecomer.length = .seconds(45)
        var cubic = LabNetwork(
            "cubic", link(.megabits(10), roundTrip: .milliseconds(30), queue: .milliseconds(60)),
            [.share(0.2...1, after: .seconds(10)), .queue(.milliseconds(100))])
        cubic.hasRival = true
        cubic.length = .seconds(40)
        return [two, latecomer, cubic]
    }
}
