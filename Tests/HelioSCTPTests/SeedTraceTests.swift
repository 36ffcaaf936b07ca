import Foundation
import HelioCore
import HelioSCTP
import HelioSimulation
import Testing

/// Prints traces for `ReproducibilityTests`, which runs it in two processes.
struct SeedTraceTests {
    @Test func associationWorld() throws {
        var conditions = LinkConditions(loss: .random(0.05), delay: .milliseconds(20), jitter: .milliseconds(5))
        conditions.reorder = 0.02
        conditions.reorderDelay = .milliseconds(9)
        var world = try AssociationWorld(conditions, seed: 77)
        world.stepper.a.keepsDatagrams = true
        world.stepper.b.keepsDatagrams = true
        for number in 0..<40 as Range<UInt16> {
            world.stepper.a.outbox.append(
                .init(stream: number % 8, payload: [UInt8](repeating: UInt8(number), count: 700 * Int(number % 5 + 1))))
            world.stepper.b.outbox.append(
                .init(
                    stream: number % 8, payload: [UInt8](repeating: UInt8(number), count: 300),
                    isOrdered: number % 3 != 0))
        }
        world.connect()
        try world.run(.seconds(20))
        var trace = SeedTrace()
        for datagram in world.stepper.a.datagrams { trace.add(datagram) }
        for datagram in world.stepper.b.datagrams { trace.add(datagram) }
        for message in world.stepper.a.received + world.stepper.b.received {
            trace.add("\(message.stream)")
            trace.add(message.payload)
        }
        #expect(trace.count > 160 && world.stepper.a.received.count == 40 && world.stepper.b.received.count == 40)
        if ProcessInfo.processInfo.environment["HELIO_SEED_TRACE"] != nil { print(trace.line("AssociationWorld")) }
    }
}
