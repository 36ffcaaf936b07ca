import HelioRendezvousWire
import Testing

@Suite("Frames of the rendezvous server")
struct ServerFrameTests {
    private static func parse(_ bytes: [UInt8]) throws(RendezvousWireError) -> ServerFrame {
        try ServerFrame.parse(bytes.span.bytes)
    }

    @Test("Each frame is read as it was written", arguments: Examples.server)
    func roundTrips(frame: ServerFrame) throws {
        let bytes = frame.serialised()
        #expect(try Self.parse(bytes) == frame)
        #expect(bytes.count <= RendezvousLimits.frame)
    }

    @Test("A frame that was cut off is refused, at every length", arguments: Examples.server)
    func truncations(frame: ServerFrame) {
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

    @Test("A frame with a byte too many is refused", arguments: Examples.server)
    func trailing(frame: ServerFrame) {
        switch frame {
        case .message, .data: return
        default: #expect(throws: RendezvousWireError.trailingBytes) { try Self.parse(frame.serialised() + [0]) }
        }
    }

    @Test("Types that do not exist, and those of a device, are refused", arguments: Array(0...64) + Array(76...255))
    func kinds(kind: Int) {
        let bytes = [UInt8(kind)] + Examples.bytes(40, from: 0)
        #expect(throws: RendezvousWireError.unknownKind) { try Self.parse(bytes) }
    }

    @Test("Reasons and states that do not exist are refused", arguments: [0] + Array(9...255))
    func values(value: Int) {
        let value = UInt8(value)
        #expect(throws: RendezvousWireError.badValue) { try Self.parse([73, 0, 0, 0, 1, value]) }
        #expect(throws: RendezvousWireError.badValue) { try Self.parse([75, value]) }
        let presence = [69] + Examples.device.bytes + [value, 0, 0, 0, 0]
        #expect(throws: RendezvousWireError.badValue) { try Self.parse(presence) }
    }

    @Test("Texts that are no UTF-8 are refused")
    func texts() {
        let address: [UInt8] = [67, 0, 0, 0, 1] + Examples.tag.bytes + [2, 0xC3, 0x28]
        #expect(throws: RendezvousWireError.badText) { try Self.parse(address) }
        let turn: [UInt8] = [70, 0, 0, 0, 1, 0, 0, 0, 9, 1, 1, 0xFF, 0, 0]
        #expect(throws: RendezvousWireError.badText) { try Self.parse(turn) }
    }

    @Test("Longer lists, texts and contents than the limits are refused")
    func limits() throws {
        let address: [UInt8] = [67, 0, 0, 0, 1] + Examples.tag.bytes + [65] + [UInt8](repeating: 0x41, count: 65)
        #expect(throws: RendezvousWireError.tooLarge) { try Self.parse(address) }
        let turn: [UInt8] = [70, 0, 0, 0, 1, 0, 0, 0, 9, 9] + [UInt8](repeating: 0, count: 27)
        #expect(throws: RendezvousWireError.tooLarge) { try Self.parse(turn) }
        let message = [UInt8](repeating: 7, count: RendezvousLimits.message)
        let largest = ServerFrame.message(Examples.call, message).serialised()
        #expect(try Self.parse(largest) == .message(Examples.call, message))
        #expect(throws: RendezvousWireError.tooLarge) { try Self.parse(largest + [0]) }
        let data = ServerFrame.data(Examples.call, Examples.bytes(RendezvousLimits.data, from: 0)).serialised()
        #expect(throws: RendezvousWireError.tooLarge) { try Self.parse(data + [0]) }
    }
}
