import HelioAdmission
import HelioCore
import Testing

@Suite("What new connections may cost")
struct ArrivalBudgetTests {
    private func ip(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    /// Connects from each address every `interval` for `seconds`, while accepting is not paused.
    ///
    /// - Returns: the numbers of connections that were served and that were closed at once.
    private func flood(
        _ budget: inout ArrivalBudget, from addresses: [IPAddress], for seconds: Int, every interval: Duration
    ) -> (served: Int, refused: Int) {
        var (now, served, refused, number) = (Instant.zero, 0, 0, 0)
        while now < .zero + .seconds(seconds) {
            if let end = budget.resumes(now: now) {
                now = max(now + interval, end)
                continue
            }
            number += 1
            if budget.take(addresses[number % addresses.count], now: now) { served += 1 } else { refused += 1 }
            now = now + interval
        }
        return (served, refused)
    }

    @Test("one address is served up to its bound, and however fast it connects, the rest is closed within the total's")
    func oneAddress() throws {
        var budget = ArrivalBudget()
        let flooder = try ip("10.0.0.1")
        let (served, refused) = flood(&budget, from: [flooder], for: 60, every: .microseconds(20))
        // A burst of 128 and 16 a second.
        #expect(served >= 1072 && served <= 1089)
        let cost = served * Int(ArrivalBudget.servedCost) + refused
        // A burst of 8000 and 2000 a second, of which the remainder is used.
        #expect(cost >= 120_000 && cost <= 128_020)
    }

    @Test("another address is served at once while one floods, below the total's bound")
    func other() throws {
        var budget = ArrivalBudget()
        let (flooder, other) = (try ip("10.0.0.1"), try ip("10.0.0.2"))
        // 1500 connections a second for a minute.
        _ = flood(&budget, from: [flooder], for: 60, every: .nanoseconds(666_667))
        let now = Instant.zero + .seconds(60)
        #expect(budget.resumes(now: now) == nil)
        var served: [Bool] = []
        for _ in 0..<2 { served.append(budget.take(flooder, now: now)) }
        #expect(served.contains(false))
        for _ in 0..<12 {
            let isServed = budget.take(other, now: now)
            #expect(isServed)
        }
    }

    @Test("many addresses together are served up to the total's bound")
    func manyAddresses() {
        var budget = ArrivalBudget()
        let addresses = (0..<200).map { IPAddress.v4(0x0A00_0000 + UInt32($0)) }
        let (served, refused) = flood(&budget, from: addresses, for: 60, every: .milliseconds(1))
        #expect(refused == 0)
        // A burst of 400 and 100 a second.
        #expect(served >= 6200 && served <= 6401)
    }

    @Test("a network of IPv6 is one address, and so is an IPv4 address however it is written")
    func origins() throws {
        var budget = ArrivalBudget(burst: 2, refill: 1)
        let texts = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1", "::ffff:10.0.0.1", "10.0.0.1"]
        var served: [Bool] = []
        for text in texts { served.append(budget.take(try ip(text), now: .zero)) }
        #expect(served == [true, true, false, true, true, true])
        let again = budget.take(try ip("10.0.0.1"), now: .zero)
        #expect(!again)
        // All connections without an address share one budget.
        var unknown: [Bool] = []
        for _ in 0..<3 { unknown.append(budget.take(nil, now: .zero)) }
        #expect(unknown == [true, true, false])
    }

    @Test("a pause lasts until several connections may be accepted, and time that goes back costs nothing")
    func pause() throws {
        var budget = ArrivalBudget(burst: 1, refill: 0.001, overallBurst: 100, overallRefill: 1000)
        let address = try ip("10.0.0.1")
        let now = Instant.zero + .seconds(5)
        let first = budget.take(address, now: now)
        #expect(first)
        for _ in 0..<80 {
            #expect(budget.resumes(now: now) == nil)
            let isServed = budget.take(address, now: now)
            #expect(!isServed)
        }
        #expect(budget.resumes(now: now) == now + .milliseconds(40))
        #expect(budget.resumes(now: now - .milliseconds(1)) == now + .milliseconds(39))
        let end = now + .milliseconds(40)
        for _ in 0..<40 {
            #expect(budget.resumes(now: end) == nil)
            let isServed = budget.take(address, now: end)
            #expect(!isServed)
        }
        #expect(budget.resumes(now: end) == end + .milliseconds(40))
    }
}
