import HelioCore
import Testing

@Suite struct DropCounterTests {
    private enum Reason: String, CaseIterable {
        case late
        case duplicate
        case never
    }

    @Test func countsByName() {
        var drops = DropCounter<Reason>()
        drops.count(.late, 2)
        drops.count(.duplicate)
        drops.count(.late)
        drops.count(.never, 0)
        #expect(drops[.late] == 3)
        #expect(drops[.never] == 0)
        #expect(drops.total == 4)
        #expect(drops.byName == ["duplicate": 1, "late": 3])
    }
}
