import HelioCore
import Testing

@testable import Heliograph

@Suite("A change is reported once it has lasted")
struct LastingChangeTests {
    private static func at(_ seconds: Int) -> Instant { Instant.zero + .seconds(seconds) }

    @Test("what comes and goes within seconds is never reported, and what stays is reported once")
    func lasting() {
        var change = LastingChange(false, patience: .seconds(10))
        func take(_ second: Int) -> Bool? { change.take(now: Self.at(second)) }
        for second in 0..<60 {
            change.set(second % 3 == 0, now: Self.at(second))
            #expect(take(second) == nil)
        }
        change.set(true, now: Self.at(60))
        #expect(change.deadline == Self.at(70))
        change.set(true, now: Self.at(65))
        #expect(take(69) == nil)
        #expect(take(70) == true)
        #expect(take(90) == nil)
        #expect(change.deadline == nil)
    }

    @Test("after a report, a short return to the earlier value is not reported")
    func returning() {
        var change = LastingChange(false, patience: .seconds(10))
        func take(_ second: Int) -> Bool? { change.take(now: Self.at(second)) }
        change.set(true, now: Self.at(0))
        #expect(take(10) == true)
        change.set(false, now: Self.at(20))
        change.set(true, now: Self.at(25))
        #expect(change.deadline == nil)
        change.set(false, now: Self.at(30))
        #expect(take(40) == false)
    }
}
