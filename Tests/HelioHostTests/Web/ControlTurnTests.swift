import HelioCore
import HelioRemote
import HelioRemoteWire
import HelioSession
import Testing

@Suite("Who drives")
struct ControlTurnTests {
    private let a = ViewerNumber(1)
    private let b = ViewerNumber(2)
    private let start = Instant.zero + .seconds(50)

    private func act(
        _ turn: inout ControlTurn, _ viewer: ViewerNumber, isMotion: Bool = false, isHolding: Bool = false,
        at time: Duration
    ) -> Bool {
        turn.act(viewer, isMotion: isMotion, isHolding: isHolding, now: start + time)
    }

    private func handOver(
        _ turn: inout ControlTurn, by giver: ViewerNumber, to viewer: ViewerNumber?, at time: Duration = .zero
    ) -> Bool {
        turn.handOver(by: giver, to: viewer, now: start + time)
    }

    private func request(_ turn: inout ControlTurn, _ viewer: ViewerNumber, at time: Duration) -> ControlTurn.Answer {
        turn.request(viewer, now: start + time)
    }

    @Test("whoever acts first has it, and others have it not")
    func first() {
        var turn = ControlTurn()
        #expect(turn.driver == nil && turn.deadline == nil)
        #expect(act(&turn, a, isMotion: true, at: .zero))
        #expect(!act(&turn, b, at: .seconds(1)))
        #expect(turn.driver == a)
    }

    @Test("ten seconds without input free it; what others try does not count")
    func idle() {
        var turn = ControlTurn()
        #expect(act(&turn, a, at: .zero))
        #expect(act(&turn, a, at: .seconds(9)))
        #expect(!act(&turn, b, at: .seconds(18)))
        turn.tick(now: start + .milliseconds(18_999))
        #expect(turn.driver == a)
        #expect(turn.deadline?.at == start + .seconds(19))
        turn.tick(now: start + .seconds(19))
        #expect(turn.driver == nil && turn.deadline == nil)
        #expect(act(&turn, b, at: .seconds(19)))
        // It also expires without a tick.
        #expect(act(&turn, a, at: .seconds(29)))
        #expect(turn.driver == a)
    }

    @Test("who holds something down is not idle")
    func holding() {
        var turn = ControlTurn()
        #expect(act(&turn, a, isHolding: true, at: .zero))
        #expect(turn.deadline == nil)
        #expect(!act(&turn, b, at: .seconds(60)))
        turn.release(b, now: start + .seconds(60))
        #expect(turn.deadline == nil)
        turn.release(a, now: start + .seconds(61))
        #expect(turn.deadline?.at == start + .seconds(71))
        // Only the release counts, not the messages after it.
        turn.release(a, now: start + .seconds(65))
        #expect(turn.deadline?.at == start + .seconds(71))
    }

    @Test("asking gives it where it is free, and tells who to ask where it is not")
    func request() {
        var turn = ControlTurn()
        #expect(request(&turn, a, at: .zero) == .granted)
        #expect(request(&turn, b, at: .seconds(9)) == .taken(by: a))
        #expect(request(&turn, a, at: .seconds(9)) == .granted)
        #expect(request(&turn, b, at: .seconds(18)) == .taken(by: a))
        #expect(request(&turn, b, at: .seconds(19)) == .granted)
        #expect(turn.driver == b)
    }

    @Test("who drives hands it over, and nobody else does")
    func handOver() {
        var turn = ControlTurn()
        #expect(!handOver(&turn, by: a, to: b))
        #expect(act(&turn, a, isHolding: true, at: .zero))
        #expect(!handOver(&turn, by: b, to: b))
        #expect(handOver(&turn, by: a, to: a))
        #expect(turn.driver == a)
        #expect(handOver(&turn, by: a, to: b, at: .seconds(1)))
        #expect(turn.driver == b)
        #expect(turn.deadline?.at == start + .seconds(11))
        #expect(!act(&turn, a, at: .seconds(2)))
    }

    @Test("who gave it to whoever acts next takes it back by a press, not by a move")
    func toNobody() {
        var turn = ControlTurn()
        #expect(act(&turn, a, at: .zero))
        #expect(handOver(&turn, by: a, to: nil))
        #expect(turn.driver == nil)
        #expect(!act(&turn, a, isMotion: true, at: .seconds(1)))
        #expect(turn.driver == nil)
        #expect(act(&turn, a, at: .seconds(2)))
        #expect(handOver(&turn, by: a, to: nil, at: .seconds(3)))
        #expect(act(&turn, b, isMotion: true, at: .seconds(4)))
        turn.leave(b)
        // The other's last action was long ago.
        #expect(act(&turn, a, isMotion: true, at: .seconds(5)))
    }

    @Test("leaving frees it")
    func leave() {
        var turn = ControlTurn()
        #expect(act(&turn, a, at: .zero))
        turn.leave(b)
        #expect(turn.driver == a)
        turn.leave(a)
        #expect(turn.driver == nil)
    }
}
