import HelioCore
import Testing

@testable import HelioMedia

@Suite("The least delay of a while")
struct LeastDelayTests {
    private func at(_ milliseconds: Int) -> Instant { .zero + .milliseconds(milliseconds) }

    @Test("it is the least that came within one to two windows")
    func least() {
        var delay = LeastDelay(window: .seconds(1))
        #expect(delay.value == nil)
        delay.note(.milliseconds(30), at: at(0))
        delay.note(.milliseconds(20), at: at(400))
        delay.note(.milliseconds(50), at: at(900))
        #expect(delay.value == .milliseconds(20))
        delay.note(.milliseconds(40), at: at(1100))
        #expect(delay.value == .milliseconds(20))
        delay.note(.milliseconds(45), at: at(2200))
        #expect(delay.value == .milliseconds(40))
    }

    @Test("after a long pause nothing of before counts")
    func pause() {
        var delay = LeastDelay(window: .seconds(1))
        delay.note(.milliseconds(5), at: at(0))
        delay.note(.milliseconds(70), at: at(2000))
        #expect(delay.value == .milliseconds(70))
    }
}
