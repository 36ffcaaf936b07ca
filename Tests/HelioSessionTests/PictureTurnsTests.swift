import HelioCore
import HelioSession
import Testing

@Suite("The turns of a viewer's picture requests")
struct PictureTurnsTests {
    private let full = Deadline(at: .zero + .milliseconds(70), why: "the queue may be gone")

    @Test("a request waits while the path is full, and passes when it has room")
    func room() {
        let turns = PictureTurns()
        #expect(turns.wait(isOnRefresh: false, overfull: full, now: .zero)?.at == full.at)
        #expect(turns.wait(isOnRefresh: false, overfull: nil, now: .zero) == nil)
    }

    @Test("a viewer on refresh has a turn each two seconds, and waits for room at its turn")
    func refresh() {
        var turns = PictureTurns()
        #expect(turns.next == nil && turns.wait(isOnRefresh: true, overfull: nil, now: .zero) == nil)
        turns.took(now: .zero)
        let due = Instant.zero + .seconds(2)
        #expect(turns.next?.at == due)
        #expect(turns.wait(isOnRefresh: true, overfull: full, now: .zero)?.at == due)
        #expect(turns.wait(isOnRefresh: false, overfull: nil, now: .zero) == nil)
        let later = Deadline(at: due + .milliseconds(70), why: "the queue may be gone")
        #expect(turns.wait(isOnRefresh: true, overfull: later, now: due)?.at == later.at)
        #expect(turns.wait(isOnRefresh: true, overfull: nil, now: due) == nil)
        turns.forget()
        #expect(turns.next == nil)
    }
}
