import HelioRendezvous
import HelioRendezvousWire
import HelioTunnel
import Testing

/// The calls of a connection as carriers.
struct RendezvousCallsTests {
    private final class Connection {
        let calls = RendezvousCalls()
        var inputs: [String] = []
        var rung: [(any CallCarrier, RingTag, String, [TURNEntry])] = []
        var others = 0

        init() {
            calls.feed = { [unowned self] in inputs.append(Self.text($0)) }
            calls.onRung = { [unowned self] in rung.append(($0, $1, $2, $3)) }
            calls.onEvent = { [unowned self] _ in others += 1 }
        }

        private static func text(_ input: RendezvousClient.Input) -> String {
            switch input {
            case .ring: "ring"
            case .send(let call, let bytes): "send \(call.value) \(bytes)"
            case .data(let call, let bytes): "data \(call.value) \(bytes)"
            case .hangUp(let call, let reason): "hang up \(call.value) \(reason)"
            default: "another"
            }
        }
    }

    private let device = RendezvousID([UInt8](repeating: 1, count: 16))
    private let token = RingToken([UInt8](repeating: 2, count: 16))
    private let tag = RingTag([UInt8](repeating: 3, count: 16))
    private let server = TURNEntry(url: "turn:192.0.2.9", username: "u", credential: "c")

    @Test func aCallOfThisDevice() throws {
        let connection = Connection()
        let calls = connection.calls
        let (device, token) = (try #require(device), try #require(token))
        var heard: [CallEvent] = []
        let call = calls.call()
        call.onEvent = { heard.append($0) }
        call.ring(device, token)
        // A call that is given up before it has a number is hung up as soon as it has one.
        let other = calls.call()
        other.ring(device, token)
        other.hangUp(.ended)
        calls.take(.dialled(CallNumber(5), device))
        calls.take(.dialled(CallNumber(6), device))
        calls.take(.turn(CallNumber(5), [server], seconds: 60))
        calls.take(.ringing(CallNumber(5)))
        call.send([1])
        call.send(data: [2])
        calls.take(.message(CallNumber(5), [3]))
        calls.take(.data(CallNumber(5), [4]))
        calls.take(.message(CallNumber(9), [5]))
        calls.take(.hungUp(CallNumber(5), .lost))
        call.send([6])
        call.hangUp(.ended)
        #expect(heard == [.turn([server]), .ringing, .message([3]), .data([4]), .hungUp(.lost)])
        #expect(connection.inputs == ["ring", "ring", "hang up 6 ended", "send 5 [1]", "data 5 [2]"])
    }

    @Test func aCallToThisDevice() throws {
        let connection = Connection()
        let calls = connection.calls
        let tag = try #require(tag)
        calls.take(.online)
        calls.take(.turn(CallNumber(7), [server], seconds: 60))
        calls.take(.rung(CallNumber(7), tag, address: "192.0.2.1"))
        calls.take(.rung(CallNumber(8), tag, address: "192.0.2.2"))
        #expect(connection.others == 1 && connection.rung.map(\.2) == ["192.0.2.1", "192.0.2.2"])
        #expect(connection.rung.map(\.3) == [[server], []] && connection.rung.allSatisfy { $0.1 == tag })
        connection.rung[0].0.send([1])
        connection.rung[0].0.hangUp(.busy)
        connection.rung[0].0.send([2])
        calls.take(.hungUp(CallNumber(7), .ended))
        #expect(connection.inputs == ["send 7 [1]", "hang up 7 busy"])
    }

    @Test func nobodyTakesCalls() throws {
        let connection = Connection()
        connection.calls.onRung = nil
        connection.calls.take(.rung(CallNumber(7), try #require(tag), address: "192.0.2.1"))
        #expect(connection.inputs == ["hang up 7 busy"])
    }
}
