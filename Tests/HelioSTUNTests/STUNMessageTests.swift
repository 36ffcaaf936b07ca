import HelioCore
import HelioSTUN
import Testing

struct STUNMessageTests {
    private static let transaction = STUNTransactionID(high: 0x0102_0304, low: 0x0506_0708_090A_0B0C)
    private static let v4 = TransportAddress(.v4(0xC000_0201), port: 1)
    private static let v6 = TransportAddress(.v6(high: 0x2001_0DB8_0000_0000, low: 7), port: 65535)

    private static let attributes: [STUNAttribute] = [
        .mappedAddress(v4), .xorMappedAddress(v6), .username("a:b"), .userhash(Array(repeating: 3, count: 32)),
        .realm("r"), .nonce(""), .errorCode(STUNErrorCode(487, "Role Conflict")),
        .unknownAttributes([STUNAttributeType(0x7001), .data]), .passwordAlgorithm(.sha256),
        .passwordAlgorithms([.md5, STUNPasswordAlgorithm(number: 9, parameters: [1, 2, 3]), .sha256]),
        .software("Heliograph"), .alternateServer(v6), .priority(.max), .useCandidate, .iceControlled(1),
        .iceControlling(.max), .channelNumber(0x4FFF), .lifetime(600), .xorPeerAddress(v4), .xorRelayedAddress(v6),
        .data([1, 2, 3, 4, 5]), .requestedAddressFamily(.ipv6), .additionalAddressFamily(.ipv4),
        .evenPort(reservesNext: true), .evenPort(reservesNext: false), .requestedTransport(17), .dontFragment,
        .reservationToken(0x0123_4567_89AB_CDEF), .other(STUNAttributeType(0x7FFF), [9]),
        .other(STUNAttributeType(0xFFFF), []),
    ]

    @Test(arguments: attributes)
    func attributeComesBack(_ attribute: STUNAttribute) throws {
        let message = STUNMessage(.indication, .send, Self.transaction, [attribute])
        let bytes = message.serialised()
        #expect(bytes.count % 4 == 0)
        #expect(try STUNPacket(parsing: bytes.span.bytes).message == message)
        let plain = message.serialised(fingerprint: false)
        #expect(plain.count == bytes.count - 8)
        #expect(try STUNPacket(parsing: plain.span.bytes).message == message)
    }

    /// RFC 8489 figure 3: the class bits are between the method's bits.
    @Test(
        arguments: [
            (.request, .binding, 0x0001), (.success, .binding, 0x0101), (.error, .binding, 0x0111),
            (.indication, .binding, 0x0011), (.request, .allocate, 0x0003), (.error, .channelBind, 0x0119),
            (.indication, .data, 0x0017), (.request, STUNMethod(0xFFF), 0x3EEF), (.error, STUNMethod(0xFFF), 0x3FFF),
        ] as [(STUNClass, STUNMethod, UInt16)])
    func typeInterleaves(kind: STUNClass, method: STUNMethod, type: UInt16) throws {
        let message = STUNMessage(kind, method, Self.transaction)
        let bytes = message.serialised(fingerprint: false)
        #expect(bytes[..<2] == [UInt8(type >> 8), UInt8(type & 0xFF)])
        #expect(try STUNPacket(parsing: bytes.span.bytes).message == message)
    }

    @Test func unknownThatMustBeUnderstoodIsListed() throws {
        let message = STUNMessage(
            .request, .binding, Self.transaction,
            [.other(STUNAttributeType(0x8777), [1]), .other(STUNAttributeType(0x0777), []), .useCandidate])
        let bytes = message.serialised()
        #expect(try STUNPacket(parsing: bytes.span.bytes).message.unknownRequired == [STUNAttributeType(0x0777)])
    }

    @Test func theFirstOfTwoCounts() throws {
        let message = STUNMessage(.request, .binding, Self.transaction, [.priority(1), .priority(2)])
        #expect(message.priority == 1)
        #expect(STUNMessage(.success, .binding, Self.transaction, [.mappedAddress(Self.v4)]).mappedAddress == Self.v4)
    }

    /// Attributes after MESSAGE-INTEGRITY are not protected: an attacker may have added them.
    @Test func whatFollowsTheCodeIsLeftOut() throws {
        var bytes = STUNMessage(.request, .binding, Self.transaction, [.priority(1)])
            .serialised(integrity: .sha1, fingerprint: false) { _ in Array(repeating: 7, count: 20) }
        bytes += [0, 0x25, 0, 0] + [0x77, 0x77, 0, 0]
        bytes[3] += 8
        let packet = try STUNPacket(parsing: bytes.span.bytes)
        #expect(packet.message.attributes == [.priority(1)])
        #expect(packet.seals[.sha1]?.code == Array(repeating: 7, count: 20))
        let seal = try #require(packet.seals[.sha1])
        // The authenticated header's length ends with MESSAGE-INTEGRITY.
        let covered = packet.covered(by: seal, of: bytes.span.bytes)
        #expect(covered.count == 28 && covered[2..<4] == [0, 8 + 24])
    }

    @Test func bothCodesMayBeThere() throws {
        let first = STUNMessage(.request, .binding, Self.transaction)
            .serialised(integrity: .sha1, fingerprint: false) { _ in Array(repeating: 7, count: 20) }
        var bytes = first + [0, 0x1C, 0, 16] + Array(repeating: 8, count: 16)
        bytes[3] += 20
        let packet = try STUNPacket(parsing: bytes.span.bytes)
        #expect(packet.seals.count == 2 && packet.seals[.sha256]?.code.count == 16)
        // MESSAGE-INTEGRITY after MESSAGE-INTEGRITY-SHA256 is ignored.
        var turned = Array(bytes[..<20]) + Array(bytes[44...]) + Array(bytes[20..<44])
        turned[3] = bytes[3]
        #expect(try STUNPacket(parsing: turned.span.bytes).seals.count == 1)
    }

    private static let header = "2112a442 01020304 05060708 090a0b0c"

    @Test(
        arguments: [
            ("nothing", "", .notSTUN),
            ("cut header", "00010000 2112a442 01020304 05060708", .notSTUN),
            ("first bits", "80010000 \(header)", .notSTUN),
            ("RFC 3489, without cookie", "00010000 2112a441 01020304 05060708 090a0b0c", .notSTUN),
            ("length past the end", "00010004 \(header)", .badLength),
            ("length before the end", "00010000 \(header) 80220000", .badLength),
            ("odd length", "00010002 \(header) 8022", .badLength),
            ("value past the end", "00010004 \(header) 80220001", .truncatedAttribute),
            ("padding past the end", "00010008 \(header) 80220005 61626364", .truncatedAttribute),
            ("longest value", "00010004 \(header) 8022ffff", .truncatedAttribute),
            ("short priority", "00010008 \(header) 00240003 00000000", .malformedAttribute),
            ("long priority", "0001000c \(header) 00240005 00000000 00000000", .malformedAttribute),
            ("address of no family", "0001000c \(header) 00200008 00030001 00000000", .malformedAttribute),
            ("v6 address of v4's size", "0001000c \(header) 00200008 00020001 00000000", .malformedAttribute),
            ("user name that is no UTF-8", "00010008 \(header) 00060002 c3280000", .malformedAttribute),
            ("error 199", "00010008 \(header) 00090004 00000163", .malformedAttribute),
            ("error 3xx of 100", "00010008 \(header) 00090004 00000364", .malformedAttribute),
            ("use-candidate with a value", "00010008 \(header) 00250001 01000000", .malformedAttribute),
            (
                "integrity of 19 bytes", "00010018 \(header) 00080013" + String(repeating: "00", count: 20),
                .malformedAttribute
            ),
            (
                "SHA-256 of 12 bytes", "00010010 \(header) 001c000c" + String(repeating: "00", count: 12),
                .malformedAttribute
            ),
            ("algorithm past its value", "00010008 \(header) 001d0004 00020001", .malformedAttribute),
            ("wrong fingerprint", "00010008 \(header) 80280004 00000000", .badFingerprint),
            ("short fingerprint", "00010008 \(header) 80280003 00000000", .badFingerprint),
        ] as [(String, String, STUNError)])
    func refused(name: String, bytes: String, error: STUNError) {
        let bytes = hex(bytes)
        #expect(throws: error) { try STUNPacket(parsing: bytes.span.bytes) }
    }

    @Test func nothingFollowsTheFingerprint() {
        var bytes = STUNMessage(.request, .binding, Self.transaction).serialised()
        bytes += [0x80, 0x22, 0, 0]
        bytes[3] += 4
        #expect(throws: STUNError.badFingerprint) { try STUNPacket(parsing: bytes.span.bytes) }
    }

    @Test func attributesAreBounded() {
        func message(_ count: Int) -> [UInt8] {
            STUNMessage(.request, .binding, Self.transaction, Array(repeating: .useCandidate, count: count))
                .serialised(fingerprint: false)
        }
        let (most, more) = (message(STUNMessage.maximumAttributes), message(STUNMessage.maximumAttributes + 1))
        #expect(throws: Never.self) { try STUNPacket(parsing: most.span.bytes) }
        #expect(throws: STUNError.tooManyAttributes) { try STUNPacket(parsing: more.span.bytes) }
    }

    /// A malformed comprehension-optional attribute is kept unparsed.
    @Test func malformedThatMayBeIgnoredIsKept() throws {
        let bytes = hex("00010008 \(Self.header) 80290003 01020300")
        let packet = try STUNPacket(parsing: bytes.span.bytes)
        #expect(packet.message.attributes == [.other(.iceControlled, [1, 2, 3])])
    }

    @Test func everyBeginningIsRefused() {
        let bytes = STUNMessage(.request, .binding, Self.transaction, Self.attributes).serialised()
        #expect(throws: Never.self) { try STUNPacket(parsing: bytes.span.bytes) }
        for count in 0..<bytes.count {
            let cut = Array(bytes[..<count])
            #expect(throws: STUNError.self) { try STUNPacket(parsing: cut.span.bytes) }
        }
    }
}
