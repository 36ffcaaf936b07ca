import HelioAppleMedia
import HelioCore
import Testing

@Suite("Input before it is permitted")
struct PermittedInjectorTests {
    final class System: PermissionAsking {
        var isThere = false
        var looks = 0
        var asked = 0
        func isGranted(_ kind: PermissionKind) -> Bool {
            looks += 1
            return kind == .accessibility && isThere
        }
        func ask(for _: PermissionKind) { asked += 1 }
    }

    final class Noted: InputInjecting {
        var said: [String] = []
        func follow(_ monitor: ScreenMonitor) { said.append("follow \(monitor.id)") }
        func movePointer(toX x: Int, y: Int) { said.append("to \(x) \(y)") }
        func movePointer(byX dx: Int, y dy: Int) { said.append("by \(dx) \(dy)") }
        func button(_ button: PointerButton, isDown: Bool) { said.append("\(button) \(isDown)") }
        func scroll(dx: Int, dy: Int) { said.append("scroll \(dx) \(dy)") }
        func key(usage: UInt16, isDown: Bool) { said.append("key \(usage) \(isDown)") }
        func type(_ text: String) { said.append(text) }
        func flush() { said.append("flush") }
    }

    final class Clock {
        var now = Instant.zero
    }

    let system = System()
    let noted = Noted()
    let clock = Clock()

    private func open() -> PermittedInjector<Noted> {
        PermittedInjector(system, clock: { [clock] in clock.now }, make: { [noted] in noted })
    }

    @Test("the person is asked once, and input goes through as soon as they have said yes")
    func later() {
        let injector = open()
        injector.follow(
            ScreenMonitor(id: "7", name: "", rect: PixelRect(x: 0, y: 0, width: 16, height: 16), isPrimary: true))
        #expect(system.asked == 1 && injector.refusal?.message.contains("Accessibility") == true)
        for x in 0..<100 { injector.movePointer(toX: x, y: 0) }
        #expect(injector.dropped == 100 && system.looks == 1)
        system.isThere = true
        clock.now = .zero + .milliseconds(999)
        injector.key(usage: 4, isDown: true)
        #expect(injector.dropped == 101 && system.looks == 1)
        clock.now = .zero + .seconds(1)
        injector.key(usage: 5, isDown: true)
        #expect(noted.said == ["follow 7", "key 5 true"] && injector.refusal == nil && system.asked == 1)
    }

    @Test("with the permission everything goes through, and nobody is asked")
    func granted() {
        system.isThere = true
        let injector = open()
        injector.movePointer(byX: 1, y: 2)
        injector.button(.left, isDown: true)
        injector.scroll(dx: 0, dy: 120)
        injector.type("é")
        injector.flush()
        #expect(noted.said == ["by 1 2", "left true", "scroll 0 120", "é", "flush"])
        #expect(injector.dropped == 0 && system.asked == 0)
    }
}
