import HelioCore
import HelioMedia
import Testing

@Suite("What paths carried before")
struct PathMemoryTests {
    private let address = IPAddress.v4(0x0A00_0002)

    @Test("a path is begun with 0.7 of what it carried last, for an hour")
    func start() {
        var memory = PathMemory()
        #expect(memory.start(to: address, now: .zero) == nil)
        memory.note(.megabits(2), to: address, now: .zero)
        memory.note(.megabits(10), to: address, now: .zero + .seconds(60))
        #expect(memory.start(to: address, now: .zero + .seconds(3660)) == .megabits(7))
        #expect(memory.start(to: address, now: .zero + .seconds(3661)) == nil)
        #expect(memory.start(to: .v4(0x0A00_0003), now: .zero + .seconds(60)) == nil)
    }

    @Test("64 are remembered: the one that was used longest ago goes first")
    func bounded() {
        var memory = PathMemory()
        for number in 0..<64 as Range<UInt32> { memory.note(.megabits(10), to: .v4(number), now: .zero) }
        // Makes the first entry the most recently used one.
        memory.note(.megabits(10), to: .v4(0), now: .zero + .seconds(1))
        memory.note(.megabits(10), to: address, now: .zero + .seconds(2))
        #expect(memory.count == 64)
        let now = Instant.zero + .seconds(3)
        let known = (0..<64 as Range<UInt32>).filter { memory.start(to: .v4($0), now: now) != nil }
        let expected: [UInt32] = [0] + Array(2..<64)
        #expect(known == expected)
        #expect(memory.start(to: address, now: now) != nil)
    }
}
