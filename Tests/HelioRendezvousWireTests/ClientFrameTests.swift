import HelioRendezvousWire
import Testing

@Suite("Frames of a device")
struct ClientFrameTests {
    private static func parse(_ bytes: [UInt8]) throws(RendezvousWireError) -> ClientFrame {
        try ClientFrame.parse(bytes.span.bytes)
    }

    @Test("Each frame is read as it was written", arguments: Examples.client)
    func roundTrips(frame: ClientFrame) throws {
        let bytes = frame.serialised()
        #expect(try Self.parse(bytes) == frame)
        #expect(bytes.count <= RendezvousLimits.frame)
    }

    @Test("A frame that was cut off is refused, at every length", arguments: Examples.client)
    func truncations(frame: ClientFrame) {
        let bytes = frame.serialised()
        for count in 0..<bytes.count {
            // The content of a message or datagram ends where the frame does.
            switch frame {
            case .message, .data: if count >= 5 { continue }
            default: break
            }
            #expect(throws: RendezvousWireError.truncated) { try Self.parse(Array(bytes.prefix(count))) }
        }
    }

    @Test("A frame with a byte too many is refused", arguments: Examples.client)
    func trailing(frame: ClientFrame) {
        switch frame {
        case .message, .data: return
        default: #expect(throws: RendezvousWireError.trailingBytes) { try Self.parse(frame.serialised() + [0]) }
        }
    }

    @Test("Types that do not exist, and those of a server, are refused", arguments: [0] + Array(8...255))
    func kinds(kind: Int) {
        let bytes = [UInt8(kind)] + Examples.bytes(40, from: 0)
        #expect(throws: RendezvousWireError.unknownKind) { try Self.parse(bytes) }
    }

    @Test("Reasons that do not exist are refused", arguments: [0] + Array(9...255))
    func reasons(reason: Int) {
        #expect(throws: RendezvousWireError.badValue) { try Self.parse([7, 0, 0, 0, 1, UInt8(reason)]) }
    }

    @Test("The layout of the frames is as documented")
    func layout() {
        let call: [UInt8] = [1, 2, 3, 4]
        let (device, token) = (Examples.device.bytes, Examples.token.bytes)
        let ring = ClientFrame.ring(Examples.call, Examples.device, Examples.token)
        #expect(ring.serialised() == [3] + call + device + token)
        #expect(ClientFrame.watch(Examples.device, Examples.token).serialised() == [4] + device + token)
        #expect(ClientFrame.message(Examples.call, [9]).serialised() == [5] + call + [9])
        #expect(ClientFrame.data(Examples.call, [9]).serialised() == [6] + call + [9])
        #expect(ClientFrame.hangUp(Examples.call, .lost).serialised() == [7] + call + [7])
        let permits = ClientFrame.permit([Permit(tag: Examples.tag, seconds: 258)])
        #expect(permits.serialised() == [2, 1] + Examples.tag.bytes + [0, 0, 1, 2])
    }

    @Test("The largest lists and contents are read, larger ones are refused")
    func limits() throws {
        let message = [UInt8](repeating: 7, count: RendezvousLimits.message)
        let largest = ClientFrame.message(Examples.call, message).serialised()
        #expect(try Self.parse(largest) == .message(Examples.call, message))
        #expect(largest.count == RendezvousLimits.frame)
        #expect(throws: RendezvousWireError.tooLarge) { try Self.parse(largest + [0]) }
        let data = ClientFrame.data(Examples.call, Examples.bytes(RendezvousLimits.data, from: 0)).serialised()
        #expect(throws: RendezvousWireError.tooLarge) { try Self.parse(data + [0]) }
        let permits = [2, 129] + [UInt8](repeating: 0, count: 129 * 20)
        #expect(throws: RendezvousWireError.tooLarge) { try Self.parse(permits) }
    }
}
