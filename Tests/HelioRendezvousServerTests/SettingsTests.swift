import HelioCore
import HelioRendezvous
import HelioTLS
import Testing

@testable import HelioRendezvousServer

@Suite("The limits of a rendezvous server with many devices")
struct SettingsTests {
    /// The address of a device, each in a network of its own.
    private static func address(_ number: Int) -> IPAddress { .v4(0x0A00_0000 + UInt32(number)) }

    @Test("the limits follow from the number of devices, those of the engine too")
    func devices() {
        var settings = RendezvousServiceSettings(address: "127.0.0.1", port: 0)
        #expect(settings.maximumConnections == 100_000 && settings.engine.mostConnections == 100_000)
        settings.limit(devices: 300_000, newcomers: 1000)
        #expect(settings.maximumConnections == 300_000 && settings.engine.mostConnections == 300_000)
        #expect(settings.engine.mostAddresses >= 300_000 && settings.engine.mostDevices >= 300_000)
    }

    @Test("as many devices as are set may connect in a second, each from an address of its own")
    func newcomers() {
        var settings = RendezvousServiceSettings(address: "127.0.0.1", port: 0)
        settings.limit(devices: 10_000, newcomers: 50)
        let strangers = settings.strangers
        var number = 0
        /// Lets devices connect until the server pauses; returns how many have begun a WebSocket.
        func connect(at now: Instant) -> Int {
            var begun = 0
            while strangers.resumes(now: now) == nil {
                number += 1
                guard strangers.mayArrive(Self.address(number), now: now) else { break }
                if strangers.mayBegin(Self.address(number).description, now: now) { begun += 1 }
            }
            return begun
        }
        let start = Instant.zero + .seconds(100)
        #expect(connect(at: start) == 200)
        #expect(connect(at: start) == 0)
        #expect(connect(at: start + .seconds(1)) == 50)
        #expect(connect(at: start + .seconds(3)) == 100)
    }
}
