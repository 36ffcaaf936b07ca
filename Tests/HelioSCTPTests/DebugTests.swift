import HelioCore
import HelioSCTP
import HelioSimulation
import Testing

@Suite("Debug")
struct DebugTests {
    @Test func trace() throws {
            var configuration = DataChannelConfiguration()
            configuration.association.streams = 4
            var world = try ChannelWorld(.lossy20, seed: 9, configuration)
            try world.run(.seconds(20))
            for round in 0..<6 {
                if round == 5 { world.stepper.a.name = "a"; world.stepper.b.name = "b" }
                let id = try world.stepper.a.channels.open(DataChannelDescription(label: "\(round)"), now: world.now)
                let sent = (0..<10).map { DataChannelMessage.binary([UInt8](repeating: $0, count: 2000)) }
                for message in sent { try world.stepper.a.channels.send(message, on: id, now: world.now) }
                try world.run(.seconds(60))
                world.stepper.b.channels.close(id, now: world.now)
                try world.run(.seconds(120))
            }
    }
}
