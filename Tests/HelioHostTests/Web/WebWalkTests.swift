import HelioAdmission
import HelioControlWire
import HelioCore
import HelioHost
import HelioProtection
import HelioRemote
import HelioRemoteWire
import HelioSession
import HelioSimulation
import Testing

/// Browsers and native viewers with random actions from a seed; invariants are checked after each step.
@Suite("Browsers at random")
struct WebWalkTests {
    @Test(arguments: UInt64(1)...10)
    func walk(seed: UInt64) throws {
        var walk = Walk(seed: seed)
        for _ in 0..<600 { try walk.step() }
        try walk.finish()
    }

    private struct Walk {
        let world: WebWorld
        var random: SeededGenerator
        var open: [Browser] = []
        /// The keys and buttons that are down at the system, by the sum of all injected input.
        var keysDown: [UInt16: Int] = [:]
        var buttonsDown: [PointerButton: Int] = [:]
        var encoder = TestEncoder(seed: 3)
        var devices: [PairedDevice] = []

        init(seed: UInt64) {
            world = WebWorld(seed: seed, viewerLimit: 6)
            random = SeededGenerator(seed: seed &* 77)
        }

        mutating func step() throws {
            switch Int.random(in: 0..<18, using: &random) {
            case 0: open.append(world.open(address: "10.0.0.\(Int.random(in: 0..<9, using: &random))"))
            case 1: open.append(world.watch(address: "10.0.0.\(Int.random(in: 0..<9, using: &random))"))
            case 2: world.pass(.milliseconds(Int.random(in: 0..<4000, using: &random)))
            case 3:
                for slice in encoder.frame(keyframe: Bool.random(using: &random), now: world.now) {
                    world.tell(.slice(slice))
                }
            case 4: world.tell(.permitControl(Bool.random(using: &random), viewer: nil))
            case 5:
                devices = Bool.random(using: &random) ? [.test(1), .test(2)] : [.test(1)]
                world.tell(.devices(devices))
            case 6: signalAtRandom()
            case 7: peerAtRandom()
            case 8:
                open.removeAll { $0.state == nil }
                world.forgetEnded()
            case 9:
                if let browser = open.randomElement(using: &random) { world.tell(.web(browser.id, .disconnected)) }
            case 10: world.setScreen(PixelSize(width: Int.random(in: 1..<4000, using: &random), height: 700))
            default: actAtRandom()
            }
            try check()
        }

        private mutating func signalAtRandom() {
            guard let browser = open.randomElement(using: &random) else { return }
            let messages = WebAdmissionTests.messages(browser).map(\.1)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: browser.join(world.host.linkSecret)
            case 1:
                let device = PairedDevice.test(2)
                browser.join(device.secret, device: device.id.bytes)
            case 2: browser.send(messages.randomElement(using: &random)!)
            default:
                var bytes = messages.randomElement(using: &random)!.serialised()
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                browser.send(bytes)
            }
        }

        private mutating func peerAtRandom() {
            guard let browser = open.randomElement(using: &random) else { return }
            let news: [Browser.PeerNews] = [
                .peerRefused("x"), .peerConnected, .peerControlOpen, .peerKeyframeNeeded,
                .peerEstimate(.kilobits(Int.random(in: 1..<9000, using: &random))), .peerLost, .peerLeft,
            ]
            switch Int.random(in: 0..<9, using: &random) {
            case 0: world.tell(.web(browser.id, .connected(address: "again")))
            case 1: world.tell(.web(browser.id, .peerOpened))
            default: browser.peer(news.randomElement(using: &random)!)
            }
        }

        private mutating func actAtRandom() {
            guard let browser = open.randomElement(using: &random) else { return }
            let stroke = KeyStroke(
                usage: .random(in: 0xE0...0xE7, using: &random),
                modifiers: RemoteModifiers(rawValue: .random(in: 0..<16, using: &random)))
            let letter = KeyStroke(usage: .random(in: 4..<8, using: &random), modifiers: stroke.modifiers)
            let number = world.browsers.values.map(\.number).randomElement(using: &random)
            let messages: [ViewerMessage] = [
                .keyDown(stroke), .keyUp(stroke), .keyDown(letter), .keyUp(letter), .keyPress(stroke),
                .mouseDown(.left, at: nil),
                .mouseUp(.left, at: PressPlace(.center, order: .random(in: 0..<100, using: &random))),
                .click(.left, count: 2, at: nil),
                .mouseMove(
                    PointerStep(dx: 3, dy: -3, totals: .init(x: 1 << 30, y: .random(in: 0..<9, using: &random)))),
                .mouseTo(.center, order: .random(in: 0..<100, using: &random)), .scroll(dx: 0.4, dy: 3), .text("x"),
                .releaseAll, .alive, .requestControl, .handOver(to: number), .handOver(to: nil), .ping(id: 1),
                .selectMonitor(id: "x"), .audioEnabled(.random(using: &random)),
                .audioVolume(.random(in: 0...1, using: &random)), .audioOffer(sdp: browser.offer(), inStep: false),
                .videoEnabled(.random(using: &random)),
                .ownPicture(enabled: .random(using: &random), repairs: .random(using: &random)),
                .pictureLost(
                    whole: Bool.random(using: &random) ? 90_000 : nil, order: .random(in: 0..<1000, using: &random)),
                .pictureSeen(timestamp: .random(in: 0..<1000, using: &random), milliseconds: 8),
                .inputs(
                    NumberedInputs(
                        first: .random(in: 0..<20, using: &random),
                        inputs: [.keyDown(letter), nil, .mouseUp(.left, at: nil)],
                        sentAt: 0)),
            ]
            browser.does(
                messages.randomElement(using: &random)!, by: RemoteChannel.allCases.randomElement(using: &random))
        }

        private mutating func check() throws {
            for input in world.takeInjected() {
                switch input {
                case .key(let usage, let isDown): keysDown[usage, default: 0] += isDown ? 1 : -1
                case .button(let button, let isDown): buttonsDown[button, default: 0] += isDown ? 1 : -1
                default: break
                }
            }
            // No key or button is pressed twice, or released while it is up.
            try #require(keysDown.values.allSatisfy { $0 == 0 || $0 == 1 })
            try #require(buttonsDown.values.allSatisfy { $0 == 0 || $0 == 1 })
            let watching = world.browsers.values.filter { $0.state == .watching }
            try #require(Set(watching.map(\.id)) == Set(world.host.webPeers))
            try #require(world.host.held["web", default: 0] <= 6)
            try #require(world.control.channelCount <= watching.count)
            // At most one viewer has control, and all viewers know which.
            let drivers = Set(watching.flatMap { $0.viewers.filter(\.drives).map(\.viewer) })
            try #require(drivers.count <= 1)
            try #require(watching.count { $0.control == .yours } <= 1)
            for (_, takers) in world.takeSlices() {
                try #require(Set(takers).isSubset(of: Set(watching.map(\.id))) && !takers.isEmpty)
            }
        }

        /// Checks that at the end nothing is pressed and no state is left.
        mutating func finish() throws {
            world.stop()
            try check()
            #expect(keysDown.values.allSatisfy { $0 == 0 } && buttonsDown.values.allSatisfy { $0 == 0 })
            #expect(world.host.held.values.allSatisfy { $0 == 0 })
            #expect(world.control.channelCount == 0)
            #expect(world.control.deadline == nil)
        }
    }
}
