import HelioAdmission
import HelioCore
import HelioHost
import HelioSession
import Testing

@Suite("Who makes room")
struct StrangerTests {
    private func stranger(_ id: UInt64, _ origin: UInt32, _ progress: Stranger.Progress = .connected) -> Stranger {
        Stranger(id: ConnectionID(id), origin: .v4(origin), progress: progress)
    }

    @Test("one origin holds 8 at most, and pushes out its own oldest: nobody else's")
    func ownFirst() {
        let crowd = (1...8).map { stranger(UInt64($0), 1) } + [stranger(0, 2)]
        #expect(Stranger.toMakeRoom(in: crowd, for: .v4(1), isFull: false)?.id == ConnectionID(1))
        #expect(Stranger.toMakeRoom(in: crowd, for: .v4(2), isFull: false) == nil)
    }

    @Test("where all is full the largest crowd makes room, its silent ones first, and a pairing never")
    func fullHouse() {
        let crowd = [
            stranger(1, 1, .pairing), stranger(2, 1, .challenged), stranger(3, 1, .connected), stranger(4, 1, .silent),
            stranger(5, 2, .silent),
        ]
        var left = crowd
        var order: [UInt64] = []
        while let next = Stranger.toMakeRoom(in: left, for: .v4(3), isFull: true) {
            order.append(next.id.rawValue)
            left.removeAll { $0.id == next.id }
        }
        #expect(order == [4, 3, 2, 5] && left.map(\.id.rawValue) == [1])
    }

    @Test("64 idle connections do not end a pairing")
    func pairingStays() {
        let world = PairingWorld()
        world.start()
        #expect(world.question != nil)
        for number in UInt64(0)..<200 {
            let id = ConnectionID(1000 + number)
            world.host.handle(.connected(id, address: "10.0.\(number % 16).9"), now: .zero)
            while world.host.poll() != nil {}
        }
        #expect(world.host.knows(world.connection) && world.host.progress(of: world.connection) == .pairing)
    }
}
