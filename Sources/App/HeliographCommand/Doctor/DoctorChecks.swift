private import Dispatch
private import Foundation
private import HelioCore
internal import HelioUnattended
private import Heliograph
private import Synchronization

/// Runs all checks side by side, each within a time.
struct DoctorChecks {
    /// The time for one check. A test of hardware that does not answer takes the longest.
    private static let limit = Duration.seconds(6)
    /// The time in which Avahi tells that it runs.
    private static let discoveryLimit = Duration.seconds(2)
    /// The ports that sharing uses unless others are named.
    private static let ports = [
        PortFact(.tcp, 7236), PortFact(.tcp, 8080), PortFact(.udp, 7236), PortFact(.udp, 7237), PortFact(.udp, 8080),
    ]

    let display: String?
    /// The rendezvous server's address; `nil` for none.
    let rendezvous: String?

    /// Returns the findings, in the order of `Finding.Check`.
    func run() async -> [Finding] {
        await withTaskGroup(of: Finding.self) { group in
            for check in Finding.Check.allCases {
                switch check {
                case .discovery: group.addTask { await discovery() }
                case .rendezvous: group.addTask { await tryRendezvous() }
                default:
                    group.addTask { [display] in
                        await Self.bounded(check) { Self.look(check, display: display) }
                    }
                }
            }
            var findings: [Finding.Check: Finding] = [:]
            for await finding in group { findings[finding.check] = finding }
            return Finding.Check.allCases.compactMap { findings[$0] }
        }
    }

    /// Runs a check on a thread of its own; one that does not end in time is left behind.
    private static func bounded(_ check: Finding.Check, _ look: @escaping @Sendable () -> Finding) async -> Finding {
        await withCheckedContinuation { continuation in
            let answer = BoundedAnswer(continuation)
            Thread.detachNewThread { answer.give(look()) }
            let seconds = Int(limit.components.seconds)
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { answer.give(.late(check)) }
        }
    }

    // MARK: Checks

    private static func look(_ check: Finding.Check, display: String?) -> Finding {
        switch check {
        case .display:
            let ways = MirrorSource.captureAbilities(display: display).map { ($0.name, $0.isUsable, $0.detail) }
            let (monitors, failure) = attempt { () throws(HelioError) in
                try MirrorSource.examineScreen(display: display)
            }
            return Diagnosis.display(ways: ways, monitors: monitors ?? [], failure: failure)
        case .encoders:
            return Diagnosis.encoders(MirrorSource.encoderAbilities().map { ($0.name, $0.isUsable, $0.isHardware) })
        case .decoders:
            let abilities = DecodingAbilities.examine()
            return Diagnosis.decoders(software: abilities.software, hardware: abilities.hardware)
        case .sound:
            let (devices, failure) = attempt { () throws(HelioError) in try MirrorSource.examineSound() }
            return Diagnosis.sound(devices: devices ?? [], failure: failure)
        case .clipboard:
            let (isThere, failure) = attempt { () throws(HelioError) in
                try MirrorSource.examineClipboard(display: display)
            }
            return Diagnosis.clipboard(isThere: isThere ?? false, failure: failure)
        case .ports: return Diagnosis.ports(DoctorFacts.ports(ports), own: ["heliograph"])
        case .firewall: return Diagnosis.firewall(DoctorFacts.firewall(), ports: ports)
        case .clock: return Diagnosis.clock(isSynchronised: DoctorFacts.isClockSet())
        case .keys: return Diagnosis.keys(DoctorFacts.keyFiles(in: HeliographHome.path), user: geteuid())
        case .devices:
            let (names, failure) = attempt { () throws(HelioError) in try DeviceBook().allDevices().map(\.name) }
            return Diagnosis.devices(
                names, failure: failure, isNeeded: DoctorFacts.service(.user)?.isRunning ?? false)
        case .service:
            return Diagnosis.service(user: DoctorFacts.service(.user), system: DoctorFacts.service(.system))
        case .version:
            return Finding(.version, .ok, "Heliograph \(HeliographVersion.text) on \(DoctorFacts.system()).")
        case .discovery, .rendezvous: preconditionFailure("not on a thread")
        }
    }

    private static func attempt<Value>(_ body: () throws(HelioError) -> Value) -> (Value?, String?) {
        do throws(HelioError) { return (try body(), nil) } catch { return (nil, error.sentence) }
    }

    private func discovery() async -> Finding {
        let obstacle = await withTaskGroup(of: String?.self) { group in
            group.addTask {
                var obstacle: String?
                for await snapshot in HostBrowser() {
                    obstacle = snapshot.obstacle
                    if snapshot.isSettled { break }
                }
                return obstacle
            }
            group.addTask {
                try? await Task.sleep(for: Self.discoveryLimit)
                return nil
            }
            // The first to end is the browser if it settles in time; otherwise it is asked for what it knows.
            let first = await group.next() ?? nil
            group.cancelAll()
            let second = await group.next() ?? nil
            return first ?? second
        }
        return Diagnosis.discovery(obstacle: obstacle)
    }

    private func tryRendezvous() async -> Finding {
        guard let rendezvous else { return Diagnosis.rendezvous(url: nil, failure: nil) }
        let failure = await RendezvousTrial.run(rendezvous, within: Self.limit)
        let shown = String(rendezvous.prefix { $0 != "#" })
        return Diagnosis.rendezvous(url: shown, failure: failure?.sentence)
    }
}

/// The answer of a check: the first one counts.
private final class BoundedAnswer: Sendable {
    private let waiting: Mutex<CheckedContinuation<Finding, Never>?>

    init(_ waiting: CheckedContinuation<Finding, Never>) { self.waiting = Mutex(waiting) }

    func give(_ finding: Finding) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: finding)
    }
}
