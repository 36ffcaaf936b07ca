import HelioControlWire
import HelioCore
import HelioHost
import HelioRemote
import HelioRemoteWire
import Testing

@Suite("A browser's inputs have numbers")
struct NumberedInputTests {
    private static func inputs(_ first: UInt64, _ inputs: ViewerMessage?..., at: UInt64 = 5) -> ViewerMessage {
        .inputs(NumberedInputs(first: first, inputs: inputs, sentAt: at))
    }

    private static func down(_ usage: UInt16) -> ViewerMessage { .keyDown(KeyStroke(usage: usage)) }
    private static func up(_ usage: UInt16) -> ViewerMessage { .keyUp(KeyStroke(usage: usage)) }
    private static func point(_ x: Float, _ y: Float) -> NormalizedPoint { NormalizedPoint(x: x, y: y) ?? .center }

    private static func drops(_ world: WebWorld, _ name: String) -> Int {
        world.drops["web-control-\(name)"] ?? 0
    }

    @Test(
        "each is done once and in order, as the page's model of a host does it",
        arguments: try InputVectors.load().cases)
    func vectors(_ vector: InputVectors.Case) {
        let world = WebWorld()
        let browser = world.watch()
        for step in vector.steps {
            _ = browser.takeTold()
            let list = (0..<UInt64(step.count)).map { index -> ViewerMessage? in
                let number = step.first + index
                return step.unreadable?.contains(number) ?? false ? nil : .text("\(number)")
            }
            browser.does(.inputs(NumberedInputs(first: step.first, inputs: list, sentAt: 7)))
            #expect(world.takeInjected() == step.done.map { .text("\($0)") })
            #expect(browser.told.contains(.inputsDone(next: step.next, sentAt: 7)))
        }
    }

    @Test("an acknowledgement comes at once, by the channel of the inputs, and says the viewer's time again")
    func acknowledged() {
        let world = WebWorld()
        let browser = world.watch()
        #expect(browser.told.contains(.takes(["inputs", "videoEnabled", "quality", "keepsCursors", "ownPicture"])))
        browser.does(Self.inputs(0, .text("a")))
        _ = browser.takeTold()
        let count = browser.channels.count
        browser.does(Self.inputs(1, .text("b"), at: 9_007_199_254_740_991))
        browser.does(Self.inputs(1, .text("b"), .text("c"), at: 0), by: .control)
        #expect(
            browser.told == [
                .inputsDone(next: 2, sentAt: 9_007_199_254_740_991), .inputsDone(next: 3, sentAt: 0),
            ])
        #expect(browser.channels.dropFirst(count) == [.moves, .control])
        #expect(world.takeInjected() == [.text("a"), .text("b"), .text("c")])
    }

    @Test("every kind of input may have one, and either channel may bring it")
    func kinds() {
        let world = WebWorld()
        let browser = world.watch()
        browser.does(
            Self.inputs(
                0, .mouseTo(Self.point(0.5, 0.5), order: 1),
                .mouseDown(.left, at: PressPlace(Self.point(0, 0), order: 2)),
                .mouseUp(.left, at: nil), .click(.right, count: 1, at: nil), .scroll(dx: 0, dy: 120)))
        browser.does(
            Self.inputs(5, .keyPress(KeyStroke(usage: 5)), Self.down(4), .text("x"), .releaseAll), by: .control)
        #expect(
            world.takeInjected() == [
                .movePointer(x: 500, y: 250), .movePointer(x: 0, y: 0), .button(.left, isDown: true),
                .button(.left, isDown: false), .button(.right, isDown: true), .button(.right, isDown: false),
                .scroll(dx: 0, dy: 120), .key(usage: 5, isDown: true), .key(usage: 5, isDown: false),
                .key(usage: 4, isDown: true), .text("x"), .key(usage: 4, isDown: false),
            ])
    }

    @Test("moves keep their order with a click that was lost first and comes again")
    func order() {
        let world = WebWorld()
        let browser = world.watch()
        browser.does(.mouseTo(Self.point(0.1, 0), order: 1))
        // Message 0, a press at 0.2 with `n` 2, is lost; the later motion arrives.
        browser.does(.mouseTo(Self.point(0.3, 0), order: 3))
        _ = world.takeInjected()
        browser.does(Self.inputs(0, .mouseDown(.left, at: PressPlace(Self.point(0.2, 0), order: 2))))
        // The press happens at its own place, then the pointer returns to its latest.
        #expect(
            world.takeInjected() == [
                .movePointer(x: 200, y: 0), .button(.left, isDown: true), .movePointer(x: 300, y: 0),
            ])
        // Motion from before a button event that has arrived is ignored.
        browser.does(Self.inputs(1, .mouseUp(.left, at: PressPlace(Self.point(0.5, 0), order: 5))))
        _ = world.takeInjected()
        browser.does(.mouseTo(Self.point(0.4, 0), order: 4))
        #expect(world.takeInjected().isEmpty)
    }

    @Test("what comes again, comes too early or is no input is counted by name, and the last is told")
    func counted() {
        let world = WebWorld()
        let browser = world.watch()
        browser.does(Self.inputs(0, .text("a"), .text("b")))
        browser.does(Self.inputs(0, .text("a"), .text("b"), .text("c")))
        browser.does(Self.inputs(9, .text("x"), .text("y"), .text("z")))
        _ = browser.takeTold()
        browser.does(Self.inputs(3, nil, .text("d"), .ping(id: 1)))
        #expect(
            browser.told == [
                .inputsDone(next: 6, sentAt: 5), .error(RemoteErrorReport(message: "not an input", about: "inputs")),
            ])
        #expect(Self.drops(world, "repeated-input") == 2)
        #expect(Self.drops(world, "input-after-gap") == 3)
        #expect(Self.drops(world, "unreadable-input") == 2)
        #expect(world.takeInjected() == ["a", "b", "c", "d"].map { .text($0) })
        // Unreadable input counts as done: it is reported once.
        browser.does(Self.inputs(3, nil, .text("d"), nil))
        #expect(browser.told.last == .inputsDone(next: 6, sentAt: 5))
    }

    @Test(
        "a flood of inputs waits for its budget, and loses none; what is repeated costs a message, however much it is")
    func flood() {
        let world = WebWorld()
        let browser = world.watch()
        var next: UInt64 = 0
        let many = Array(repeating: ViewerMessage?.some(.text("x")), count: NumberedInputs.most)
        func send() {
            browser.does(.inputs(NumberedInputs(first: next, inputs: many, sentAt: 0)))
            for case .inputsDone(let done, _) in browser.takeTold() { next = done }
        }
        for _ in 0..<500 { send() }
        #expect(next == 2000)
        #expect(world.takeInjected().count == 2000)
        #expect(Self.drops(world, "flood") > 0)
        world.pass(.seconds(1))
        send()
        #expect(next == 2032 && world.takeInjected().count == 32)
        // 900 repeated messages within a second, in which a thousand are allowed.
        world.pass(.seconds(10))
        for _ in 0..<900 { browser.does(.inputs(NumberedInputs(first: next - 32, inputs: many, sentAt: 0))) }
        _ = browser.takeTold()
        let before = next
        send()
        #expect(next == before + 32)
    }

    @Test("inputs of who may not, or does not drive, are done with, and dropped by their own names")
    func others() {
        let world = WebWorld()
        let first = world.watch()
        let second = world.watch(address: "10.0.0.8")
        first.does(Self.inputs(0, Self.down(4)))
        _ = second.takeTold()
        second.does(Self.inputs(0, Self.down(5), Self.up(5)))
        #expect(second.told.contains(.inputsDone(next: 2, sentAt: 5)))
        #expect(world.takeInjected() == [.key(usage: 4, isDown: true)])
        #expect(Self.drops(world, "not-driving") == 1)
        world.tell(.permitControl(false, viewer: nil))
        _ = world.takeInjected()
        first.does(Self.inputs(1, Self.down(6)))
        #expect(world.takeInjected().isEmpty)
        #expect(Self.drops(world, "not-permitted") == 1)
        // Each viewer has its own numbering, which continues when control is permitted again.
        world.tell(.permitControl(true, viewer: nil))
        first.does(Self.inputs(2, Self.down(7)))
        #expect(world.takeInjected() == [.key(usage: 7, isDown: true)])
    }

    @Test("whatever repeats them says that the viewer is there; silence and leaving let go as ever")
    func held() {
        let world = WebWorld()
        let browser = world.watch()
        browser.does(Self.inputs(0, Self.down(4)))
        #expect(world.takeInjected() == [.key(usage: 4, isDown: true)])
        for _ in 0..<10 {
            world.pass(.milliseconds(1900))
            // The input is repeated, since its acknowledgement was lost.
            browser.does(Self.inputs(0, Self.down(4)))
        }
        for _ in 0..<10 {
            world.pass(.milliseconds(1900))
            browser.does(.alive, by: .moves)
        }
        // Reported once: a key that is not pressed again does not start to repeat again.
        #expect(world.takeInjected() == [.stopRepeating])
        #expect(Self.drops(world, "wrong-channel") == 0)
        world.pass(.milliseconds(2001))
        #expect(world.takeInjected() == [.key(usage: 4, isDown: false)])
        browser.does(Self.inputs(1, Self.down(5), .mouseDown(.left, at: nil)))
        _ = world.takeInjected()
        browser.peer(.peerLost)
        #expect(
            Set(world.takeInjected()) == [.key(usage: 5, isDown: false), .button(.left, isDown: false)])
    }
}
