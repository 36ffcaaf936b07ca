import HelioCore
import Testing

@testable import HelioRTMP

struct AMF0Tests {
    static func bytes(_ value: AMF0Value) -> [UInt8] {
        var output: [UInt8] = []
        value.write(into: &output)
        return output
    }

    static let vectors: [(AMF0Value, [UInt8])] = [
        (.number(1), [0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0]),
        (.number(-2.5), [0, 0xC0, 0x04, 0, 0, 0, 0, 0, 0]),
        (.boolean(true), [1, 1]), (.boolean(false), [1, 0]),
        (.string("live"), [2, 0, 4] + Array("live".utf8)),
        (.string(""), [2, 0, 0]),
        (.null, [5]), (.undefined, [6]),
        (
            .object([.init("a", .number(0)), .init("b", .null)]),
            [3, 0, 1, 0x61, 0] + [UInt8](repeating: 0, count: 8) + [0, 1, 0x62, 5, 0, 0, 9]
        ),
        (.object([]), [3, 0, 0, 9]),
        (.ecmaArray([.init("w", .boolean(true))]), [8, 0, 0, 0, 1, 0, 1, 0x77, 1, 1, 0, 0, 9]),
        (.array([.string("hvc1"), .null]), [0x0A, 0, 0, 0, 2, 2, 0, 4, 0x68, 0x76, 0x63, 0x31, 5]),
        (.date(1), [0x0B, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ]

    @Test(arguments: vectors)
    func vector(value: AMF0Value, bytes: [UInt8]) throws {
        #expect(Self.bytes(value) == bytes)
        #expect(try AMF0Value.read(bytes) == [value])
        // Truncated anywhere, it is an error, and not a crash.
        for end in 1..<bytes.count { #expect(throws: AMF0Fault.cutShort) { try AMF0Value.read(Array(bytes[..<end])) } }
    }

    @Test func longString() throws {
        let text = String(repeating: "x", count: 70000)
        let bytes = Self.bytes(.string(text))
        #expect(bytes.prefix(5) == [0x0C, 0, 1, 0x11, 0x70])
        #expect(try AMF0Value.read(bytes) == [.string(text)])
    }

    /// Types that are read but never written.
    @Test func others() throws {
        #expect(try AMF0Value.read([0x0F, 0, 0, 0, 1, 0x3C]) == [.string("<")])
        #expect(try AMF0Value.read([0x10, 0, 1, 0x43, 0, 1, 0x61, 5, 0, 0, 9]) == [.object([.init("a", .null)])])
        #expect(try AMF0Value.read([0x0D]) == [.undefined])
        #expect(try AMF0Value.read([2, 0, 2, 0xFF, 0x61]) == [.string("\u{FFFD}a")])
    }

    static let hostileInputs: [([UInt8], AMF0Fault)] = [
        ([4], .unsupported), ([7, 0, 0], .unsupported), ([0x11], .unsupported), ([0xFF], .unsupported),
        ([3, 0, 0, 5], .unsupported),
        ([0x0C, 0xFF, 0xFF, 0xFF, 0xFF], .cutShort), ([0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 5], .cutShort),
        ([8, 0xFF, 0xFF, 0xFF, 0xFF], .cutShort),
        ((0..<20).flatMap { _ in [0x0A, 0, 0, 0, 1] as [UInt8] } + [5], .tooMany),
        ((0..<20).flatMap { _ in [3, 0, 1, 0x61] as [UInt8] }, .tooMany),
        ([UInt8](repeating: 5, count: 3000), .tooMany),
    ]

    @Test(arguments: hostileInputs)
    func hostile(bytes: [UInt8], fault: AMF0Fault) {
        #expect(throws: fault) { try AMF0Value.read(bytes) }
    }

    /// The first command of a connection, `connect`, byte by byte.
    @Test func connectCommand() throws {
        let command = RTMPCommand("connect", transaction: 1, object: .object([.init("app", .string("live"))]))
        let payload: [UInt8] =
            [2, 0, 7] + Array("connect".utf8) + [0, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0, 3, 0, 3] + Array("app".utf8)
            + [2, 0, 4] + Array("live".utf8) + [0, 0, 9]
        #expect(command.message() == RTMPMessage(.command, payload: payload))
        #expect(try RTMPCommand(RTMPMessage(.command, payload: payload)) == command)
        #expect(try RTMPCommand(RTMPMessage(.commandAMF3, payload: [0] + payload)) == command)
        #expect(try RTMPCommand(RTMPMessage(.commandAMF3, payload: payload)) == nil)
        #expect(try RTMPCommand(RTMPMessage(.command, payload: [5, 5])) == nil)
    }

    @Test func status() throws {
        let information = AMF0Value.object([
            .init("level", .string("error")), .init("code", .string("NetStream.Publish.BadName")),
        ])
        let command = RTMPCommand("onStatus", arguments: [information])
        #expect(command.code == "NetStream.Publish.BadName")
        #expect(command.level == "error")
        #expect("\(RTMPCommand("publish", arguments: [.string("a-key")]))" == "publish")
    }

    @Test func control() {
        let vectors: [(RTMPControl, RTMPMessageType, [UInt8])] = [
            (.acknowledgement(0x0102_0304), .acknowledgement, [1, 2, 3, 4]),
            (.windowSize(2_500_000), .windowSize, [0, 0x26, 0x25, 0xA0]),
            (.peerBandwidth(5, .dynamic), .peerBandwidth, [0, 0, 0, 5, 2]),
            (.streamBegin(1), .userControl, [0, 0, 0, 0, 0, 1]),
            (.streamEnd(1), .userControl, [0, 1, 0, 0, 0, 1]),
            (.ping(7), .userControl, [0, 6, 0, 0, 0, 7]), (.pong(7), .userControl, [0, 7, 0, 0, 0, 7]),
        ]
        for (control, type, payload) in vectors {
            #expect(control.message == RTMPMessage(type, payload: payload))
            #expect(RTMPControl(control.message) == control)
            #expect(RTMPControl(RTMPMessage(type, payload: Array(payload.dropLast()))) == nil)
        }
        #expect(RTMPControl(RTMPMessage(.userControl, payload: [0, 31, 1])) == .other(31))
        #expect(RTMPControl(RTMPMessage(.peerBandwidth, payload: [0, 0, 0, 5, 3])) == nil)
    }
}
