import HelioCore
import HelioRendezvous
import HelioRendezvousWire
import Testing

@Suite("A client's calls")
struct ClientCallTests {
    private static let first = CallNumber(1)
    private static let servers = CallNumber(CallNumber.serversBit | 5)
    private static let entry = TURNEntry(url: "turn:t.example", username: "u", credential: "c")

    private static func viewer() -> ClientStage {
        let stage = ClientStage(registers: false, signer: nil)
        stage.comeOnline()
        _ = stage.takeEvents()
        return stage
    }

    private static func ring(_ stage: ClientStage) { stage.feed(.ring(ClientStage.device, ClientStage.token)) }

    @Test("A ring, its messages in both directions, and its end by the host")
    func outgoing() {
        let stage = Self.viewer()
        Self.ring(stage)
        #expect(stage.takeEvents() == [.dialled(Self.first, ClientStage.device)])
        #expect(stage.takeSent() == [.ring(Self.first, ClientStage.device, ClientStage.token)])
        stage.feed(.send(Self.first, [1]))
        stage.receive(
            .turn(Self.first, [Self.entry], seconds: 60), .ringing(Self.first), .message(Self.first, [2]),
            .data(Self.first, [3]))
        stage.feed(.data(Self.first, [4]))
        #expect(stage.takeSent() == [.message(Self.first, [1]), .data(Self.first, [4])])
        stage.receive(.hungUp(Self.first, .busy))
        #expect(
            stage.takeEvents() == [
                .turn(Self.first, [Self.entry], seconds: 60), .ringing(Self.first), .message(Self.first, [2]),
                .data(Self.first, [3]), .hungUp(Self.first, .busy),
            ])
        #expect(stage.callCount == 0)
        stage.receive(.message(Self.first, [5]))
        stage.feed(.send(Self.first, [5]))
        #expect(stage.drops[.unknownCall] == 2)
    }

    @Test("A host is rung, answers, and hangs up")
    func incoming() {
        let stage = ClientStage()
        stage.comeOnline()
        _ = (stage.takeEvents(), stage.takeSent())
        stage.receive(
            .turn(Self.servers, [Self.entry], seconds: 60), .rung(Self.servers, ClientStage.tag, address: "192.0.2.1"),
            .message(Self.servers, [1]))
        #expect(
            stage.takeEvents() == [
                .turn(Self.servers, [Self.entry], seconds: 60),
                .rung(Self.servers, ClientStage.tag, address: "192.0.2.1"), .message(Self.servers, [1]),
            ])
        stage.feed(.send(Self.servers, [2]))
        stage.feed(.hangUp(Self.servers, .busy))
        #expect(stage.takeSent() == [.message(Self.servers, [2]), .hangUp(Self.servers, .busy)])
        #expect(stage.events.isEmpty && stage.callCount == 0)
    }

    @Test("A viewer, and a number of a ringer's, can't be rung")
    func wrongRings() {
        let viewer = Self.viewer()
        viewer.receive(.rung(Self.servers, ClientStage.tag, address: ""))
        let host = ClientStage()
        host.comeOnline()
        host.receive(.rung(Self.first, ClientStage.tag, address: ""))
        for stage in [viewer, host] { #expect(stage.drops[.unexpectedFrame] == 1 && stage.callCount == 0) }
    }

    @Test("A ring before the connection stands is made once it does, with its messages")
    func early() {
        let stage = ClientStage(registers: false, signer: nil)
        Self.ring(stage)
        stage.feed(.send(Self.first, [1]))
        stage.feed(.send(Self.first, [2]))
        stage.feed(.data(Self.first, [3]))
        #expect(stage.sent.isEmpty && stage.drops[.notOnline] == 1)
        stage.comeOnline()
        #expect(
            stage.sent == [
                .ring(Self.first, ClientStage.device, ClientStage.token), .message(Self.first, [1]),
                .message(Self.first, [2]),
            ])
    }

    @Test("A ring that nobody answers, or that can't be made, ends after fifteen seconds")
    func unanswered() {
        let offline = ClientStage(registers: false, signer: nil)
        let online = Self.viewer()
        for stage in [offline, online] {
            Self.ring(stage)
            _ = stage.takeSent()
            stage.pass(.milliseconds(14_999))
            #expect(stage.callCount == 1)
            stage.pass(.milliseconds(1))
            #expect(stage.callCount == 0 && stage.events.last == .hungUp(Self.first, .unreachable))
        }
        #expect(offline.sent.isEmpty && online.sent == [.hangUp(Self.first, .ended)])
    }

    @Test("Calls end with their connection, those that were not made yet do not")
    func lost() {
        let stage = Self.viewer()
        Self.ring(stage)
        stage.receive(.ringing(Self.first))
        Self.ring(stage)
        _ = stage.takeEvents()
        stage.feed(.disconnected)
        Self.ring(stage)
        let events = stage.takeEvents()
        #expect(events.prefix(2) == [.hungUp(Self.first, .lost), .hungUp(CallNumber(2), .lost)])
        #expect(events.last == .dialled(CallNumber(3), ClientStage.device))
        _ = stage.takeSent()
        stage.pass(.seconds(1))
        stage.comeOnline()
        #expect(stage.sent == [.ring(CallNumber(3), ClientStage.device, ClientStage.token)])
    }

    @Test("Calls, held messages and lengths have limits")
    func limits() {
        let stage = Self.viewer()
        for _ in 0..<33 { Self.ring(stage) }
        #expect(stage.callCount == 32 && stage.drops[.tooManyCalls] == 1)
        #expect(stage.events.last == .hungUp(CallNumber(33), .tooMany))
        stage.feed(.data(Self.first, [UInt8](repeating: 0, count: 2_049)))
        #expect(stage.drops[.tooLong] == 1 && stage.callCount == 32)
        stage.feed(.send(Self.first, [UInt8](repeating: 0, count: 65_536)))
        #expect(stage.drops[.tooLong] == 2 && stage.callCount == 31)
        #expect(stage.events.last == .hungUp(Self.first, .protocolError))
        let early = ClientStage(registers: false, signer: nil)
        Self.ring(early)
        for _ in 0..<17 { early.feed(.send(Self.first, [1])) }
        #expect(early.drops[.heldTooMany] == 1 && early.events.last == .hungUp(Self.first, .tooFast))
        let host = ClientStage()
        host.comeOnline()
        _ = host.takeSent()
        for number in 0..<33 {
            host.receive(.rung(CallNumber(CallNumber.serversBit | UInt32(number)), ClientStage.tag, address: ""))
        }
        #expect(host.callCount == 32)
        #expect(host.sent == [.hangUp(CallNumber(CallNumber.serversBit | 32), .tooMany)])
    }
}
