import HelioCore
import HelioHost
import HelioRTP
import HelioSimulation
import Testing

@testable import HelioSession

/// The effect of a single admitted viewer's reports on the shared stream.
@Suite("What a guest's reports can do")
struct GuestTests {
    private static let range = Bitrate.kilobits(300)...Bitrate.megabits(20)

    /// True or false contents of a guest's transport feedback.
    enum Word: String, CaseIterable {
        /// True arrival times, over a path of varying rate.
        case unsteady
        /// All packets arrived, without any delay between two of them.
        case atOnce
        /// All packets arrived, always at the same instant.
        case clockThatStands
        /// All packets arrived a second before they were sent.
        case early
        case nothing
        case everyOther
        /// For half a second each, nothing arrived, then everything at once.
        case byTurns
        /// Delays that grow by 80 ms a second.
        case laterAndLater
        case absurdReference
        case absurdDeltas
        case ofPacketsNeverSent
        case ofFarTooMany
        /// A different one of the above each time.
        case all

        func say(_ feedback: inout TransportFeedback, turn: Int) {
            let count = feedback.deltas.count
            switch self {
            case .unsteady: break
            case .atOnce: feedback.deltas = Array(repeating: 0, count: count)
            case .clockThatStands:
                feedback.deltas = Array(repeating: 0, count: count)
                feedback.referenceTime = 1000
            case .early:
                feedback.deltas = Array(repeating: 0, count: count)
                feedback.referenceTime -= 16
            case .nothing: feedback.deltas = Array(repeating: nil, count: count)
            case .everyOther: feedback.deltas = (0..<count).map { $0 % 2 == 0 ? 4 : nil }
            case .byTurns: feedback.deltas = Array(repeating: turn / 10 % 2 == 0 ? nil : 0, count: count)
            case .laterAndLater:
                if let index = feedback.deltas.firstIndex(where: { $0 != nil }), let delta = feedback.deltas[index] {
                    feedback.deltas[index] = Int16(clamping: Int(delta) + turn * 16)
                }
            case .absurdReference: feedback.referenceTime = [0x7F_FFFF, -0x80_0000, 0, -1][turn % 4]
            case .absurdDeltas:
                let absurd: [Int16?] = [.some(.max), .some(.min), 0, -1]
                feedback.deltas = (0..<count).map { absurd[($0 + turn) % 4] }
            case .ofPacketsNeverSent: feedback.base &+= 5000
            case .ofFarTooMany where turn % 5 == 0:
                feedback.deltas = Array(repeating: 1, count: TransportFeedback.maximumPackets)
            case .ofFarTooMany: break
            case .all:
                let others = Self.allCases.filter { $0 != .all }
                others[turn % others.count].say(&feedback, turn: turn)
            }
        }
    }

    /// Checks the encoder's bitrate updates: each changes by at least a tenth, half a second after the one before; a
    /// fall to half or less may follow after a tenth of a second.
    private func expectSeldom(_ told: [(at: Instant, rate: Bitrate)], after first: Bitrate = .megabits(20)) {
        var last: (at: Instant, rate: Bitrate) = (.zero, first)
        for next in told {
            #expect(Self.range.contains(next.rate), "\(told)")
            let (before, after) = (last.rate.bitsPerSecond, next.rate.bitsPerSecond)
            #expect(abs(after - before) * 10 >= before, "\(told)")
            let spacing = Duration.milliseconds(after * 2 <= before ? 100 : 500)
            #expect(next.at - last.at >= spacing, "\(told)")
            last = next
        }
    }

    @Test(
        "the encoder is told seldom, and nothing that was not agreed on, whatever a guest says",
        arguments: Word.allCases)
    func rates(_ word: Word) throws {
        let world = GuestWorld()
        let guest = try world.watch()
        guest.report = { word.say(&$0, turn: $1) }
        var told: [(at: Instant, rate: Bitrate)] = []
        for part in 0..<20 {
            if word == .unsteady { guest.link.capacity = part % 2 == 0 ? .kilobits(400) : .megabits(20) }
            world.stream(.milliseconds(250))
            told += world.takeChanges()
            let estimate = try #require(world.estimate(guest))
            #expect(estimate <= .megabits(20))
        }
        expectSeldom(told)
        if word == .unsteady { #expect(told.count >= 2, "\(told)") }
    }

    @Test("a path that is another a hundred times a second is a few changes, down and up again")
    func ramp() throws {
        let world = GuestWorld()
        let guest = try world.watch()
        world.beHonest(guest, capacity: .megabits(20))
        world.stream(.seconds(3))
        var told = world.takeChanges()
        for step in 0..<100 {
            guest.link.capacity = Bitrate(bitsPerSecond: 500_000 + abs(50 - step) * 390_000)
            world.stream(.milliseconds(10))
        }
        world.stream(.seconds(3))
        let changes = world.takeChanges()
        #expect((2...12).contains(changes.count), "\(changes)")
        told += changes
        expectSeldom(told)
    }

    @Test("the last word counts once it may")
    func lastWord() throws {
        let world = GuestWorld()
        let guest = try world.watch()
        world.beHonest(guest, capacity: .megabits(20))
        world.stream(.seconds(3))
        func isUntold() throws -> Bool {
            let told = world.host.statistics.bitrate.bitsPerSecond
            return try abs(#require(world.estimate(guest)).bitsPerSecond - told) * 10 >= told
        }
        // The path gets slower, until the estimate is lower than what may be reported yet.
        var capacity = 10_000_000
        while try !isUntold(), capacity > 1_000_000 {
            guest.link.capacity = Bitrate(bitsPerSecond: capacity)
            world.stream(.milliseconds(10))
            capacity = capacity * 98 / 100
        }
        #expect(try isUntold())
        let meant = try #require(world.estimate(guest)).bitsPerSecond
        _ = world.takeBitrates()
        world.pass(.milliseconds(501))
        let told = world.takeBitrates()
        #expect(told.count == 1)
        // Feedback that is still in transit may only reduce it.
        #expect(try #require(told.last).bitsPerSecond * 10 <= meant * 11, "\(told) for \(meant)")
    }

    @Test("the rate is the agreed one again when who was slow has left")
    func left() throws {
        let world = GuestWorld()
        let guest = try world.watch()
        world.beHonest(guest, capacity: .kilobits(200))
        world.stream(.seconds(8))
        #expect(world.takeBitrates().last == .kilobits(300))
        world.pass(.seconds(1))
        world.leave(guest)
        #expect(world.takeBitrates() == [.megabits(20)])
    }

    @Test("the rate is that of those who stay when who was slow has left")
    func leftByOne() throws {
        let world = GuestWorld()
        let guests = [try world.watch(), try world.watch()]
        world.beHonest(guests[0], capacity: .megabits(8))
        world.beHonest(guests[1], capacity: .kilobits(800))
        world.stream(.seconds(8))
        #expect(try #require(world.takeBitrates().last) <= .megabits(1))
        // The host receives nothing for a while, which lowers the rates too.
        world.pass(.seconds(2))
        _ = world.takeBitrates()
        let stays = try #require(world.estimate(guests[0]))
        #expect(stays >= .megabits(2))
        world.leave(guests[1])
        #expect(world.takeBitrates() == [stays])
    }

    @Test(
        "no word takes the pacer away: a keyframe leaves at five times the agreed rate at the most",
        arguments: [Word.atOnce, .clockThatStands, .early, .absurdDeltas])
    func pacer(_ word: Word) throws {
        let world = GuestWorld()
        let guest = try world.watch()
        guest.report = { word.say(&$0, turn: $1) }
        world.stream(.seconds(5))
        world.pass(.milliseconds(100))
        let before = guest.bytes
        world.show(bytes: 3_000_000, keyframe: true)
        #expect(guest.bytes - before < 200_000, "at once")
        world.pass(.milliseconds(100))
        #expect(guest.bytes - before < 200_000 + 1_300_000)
        // A viewer that is silent for longer is removed. The minimum rate is 150 kbit/s.
        world.pass(.seconds(4))
        #expect(guest.bytes - before > 60_000)
    }

    @Test("keyframes are limited for the host as a whole, and who joins has one at once all the same")
    func keyframes() throws {
        let world = GuestWorld()
        let guests = [try world.watch(), try world.watch(), try world.watch()]
        world.pass(.seconds(3))
        _ = world.takeKeyframes()
        var asked = 0
        for _ in 0..<1000 {
            for guest in guests { world.losePicture(guest) }
            world.pass(.milliseconds(10))
            asked += world.takeKeyframes().count
        }
        // One a second: viewers for whom repair pictures should suffice request a keyframe as a last resort.
        #expect((9...11).contains(asked), "\(asked)")
        let newcomer = try world.watch()
        world.pass(.milliseconds(100))
        #expect(world.takeKeyframes().contains("a viewer joined"))
        _ = newcomer
    }

    @Test("a keyframe answers all that was asked for before it")
    func oneForAll() throws {
        let world = GuestWorld()
        let guests = [try world.watch(), try world.watch()]
        world.pass(.seconds(3))
        _ = world.takeKeyframes()
        for guest in guests { world.losePicture(guest) }
        #expect(world.takeKeyframes().count == 1)
        var encoder = TestEncoder(seed: 1)
        for slice in encoder.frame(keyframe: true, now: world.now) { world.tell(.slice(slice)) }
        world.pass(.seconds(1))
        #expect(world.takeKeyframes().isEmpty)
        world.losePicture(guests[0])
        #expect(world.takeKeyframes().count == 1)
    }

    @Test("pausing and going on again is no way around the limit")
    func pauses() throws {
        let world = GuestWorld()
        let guest = try world.watch()
        world.pass(.seconds(3))
        _ = world.takeKeyframes()
        var asked = 0
        for _ in 0..<100 {
            try world.pauseAndGoOn(guest)
            world.pass(.milliseconds(100))
            asked += world.takeKeyframes().count
        }
        #expect((2...24).contains(asked), "\(asked)")
    }

    @Test("viewers are told what is agreed on, and what is coded for, when it changes (rows 18, 31)")
    func terms() throws {
        let world = GuestWorld()
        let guest = try world.watch()
        world.beHonest(guest, capacity: .megabits(6))
        world.stream(.seconds(5))
        let told = world.takeBitrates()
        #expect(!told.isEmpty && guest.terms.map(\.coded) == told)
        #expect(guest.terms.allSatisfy { $0.bitrate == .megabits(20) })
        let limited = try world.watch(StreamCapabilities(framesPerSecond: 25, bitrate: .megabits(2)))
        #expect(guest.terms.last == StreamTerms(body: Array("fps=25;bitrate=2000000;now=2000000".utf8)))
        world.leave(limited)
        #expect(guest.terms.last?.framesPerSecond == 60 && guest.terms.last?.bitrate == .megabits(20))
        #expect(limited.terms.isEmpty, "what was in the offer is not told again")
    }
}
