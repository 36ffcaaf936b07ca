import HelioCore
import HelioSimulation
import Testing

/// A peer that sends a datagram per interval, answers each received one `echo` times, and counts.
private struct Beeper: SimulatedPeer {
    var interval: Duration?
    var next: Instant?
    var echoes = false
    var outgoing: [[UInt8]] = []
    var received: [Instant] = []

    init(interval: Duration?, echoes: Bool = false) {
        self.interval = interval
        self.echoes = echoes
        next = interval == nil ? nil : .zero
    }

    mutating func receive(_ datagram: [UInt8], now: Instant) {
        received.append(now)
        if echoes { outgoing.append(datagram) }
    }

    mutating func tick(now: Instant) {
        guard let interval, let next, next <= now else { return }
        outgoing.append([1])
        self.next = next + interval
    }

    mutating func pollDatagram(now: Instant) -> [UInt8]? { outgoing.isEmpty ? nil : outgoing.removeFirst() }
    var deadline: Deadline? { next.map { Deadline(at: $0, why: "beep") } }
}

@Suite struct TwoPeerStepperTests {
    @Test func anHourPassesInNoTime() throws {
        var stepper = TwoPeerStepper(
            a: Beeper(interval: .seconds(1)), b: Beeper(interval: nil, echoes: true),
            network: SimulatedNetwork(LinkConditions(delay: .milliseconds(20)), seed: 1))
        try stepper.run(for: .seconds(3600))
        let now = stepper.now
        let answers = stepper.a.received
        #expect(now == .zero + .seconds(3600))
        #expect(answers.count == 3600)
        #expect(answers.enumerated().allSatisfy { $1 == .zero + .seconds($0) + .milliseconds(40) })
    }

    @Test func timeStopsAtTheEndEvenWithNothingToDo() throws {
        var stepper = TwoPeerStepper(
            a: Beeper(interval: nil), b: Beeper(interval: nil), network: SimulatedNetwork(.lan, seed: 1))
        try stepper.run(for: .seconds(5))
        let now = stepper.now
        #expect(now == .zero + .seconds(5))
    }

    @Test func aTickThatNeverEndsIsCaught() {
        var stepper = TwoPeerStepper(
            a: Beeper(interval: .zero), b: Beeper(interval: nil), network: SimulatedNetwork(.lan, seed: 1))
        do throws(Livelock) {
            try stepper.run(for: .seconds(1))
            Issue.record("ran on")
        } catch {
            #expect(error.at == .zero)
        }
    }

    @Test func datagramsThatCircleForEverAreCaught() {
        var a = Beeper(interval: nil, echoes: true)
        a.outgoing = [[1]]
        var stepper = TwoPeerStepper(
            a: a, b: Beeper(interval: nil, echoes: true), network: SimulatedNetwork(.perfect, seed: 1))
        do throws(Livelock) {
            try stepper.run(for: .seconds(1))
            Issue.record("ran on")
        } catch {
            #expect(error.at == .zero)
        }
    }
}
