import HelioCore
import HelioTestLanes
import Testing

@testable import HelioTestPrograms

@Suite("A desktop that is looked at", .timeLimit(.minutes(1)), .tags(.quiet))
struct DesktopTests {
    private static let size = PixelSize(width: 64, height: 64)

    @Test("it is looked at again each time that something is drawn, and else not")
    func looks() throws {
        let desktop = try Desktop(Self.size)
        var colors: [UInt32] = [0xFF0000, 0x00FF00, 0x0000FF]
        var seen: [Int] = []
        // Each check sees what the one before it drew, and draws something else.
        let holds = try desktop.wait {
            seen.append(try desktop.screenshot(Self.size).color(x: 60, y: 60).blue)
            if let color = colors.first {
                colors.removeFirst()
                desktop.fill([(color, PixelRect(Self.size))])
            }
            return seen.last == 255
        }
        #expect(holds && seen == [0, 0, 0, 255])
        var looks = 0
        let never = try desktop.wait(Patience(.milliseconds(200))) {
            looks += 1
            return false
        }
        #expect(!never && looks == 1)
    }
}
