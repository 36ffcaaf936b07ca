import HelioCore
import HelioSTUN
import Testing

/// A message printed in RFC 5769 or RFC 8489, with its meaning.
struct STUNVector: CustomTestStringConvertible, Sendable {
    enum Key: Sendable {
        /// The password itself is the key.
        case shortTerm(String)
        /// The hash of username, realm and password is the key.
        case longTerm(sha256: Bool, String)
    }

    var testDescription: String
    var bytes: [UInt8]
    var message: STUNMessage
    var integrity: STUNIntegrity
    var key: Key
    var hasFingerprint: Bool

    private static let first = STUNTransactionID(high: 0xB7E7_A701, low: 0xBC34_D686_FA87_DFAE)
    private static let second = STUNTransactionID(high: 0x78AD_3433, low: 0xC6AD_72C0_29DA_412E)
    private static let password = Key.shortTerm("VOkJxbRl1RmTxUk/WvJxBt")

    static let all = [
        STUNVector(
            testDescription: "RFC 5769 section 2.1",
            bytes: hex(
                """
                00010058 2112a442 b7e7a701 bc34d686 fa87dfae
                80220010 5354554e 20746573 7420636c 69656e74 00240004 6e0001ff 80290008 932ff9b1 51263b36
                00060009 6576746a 3a683676 59202020 00080014 9aeaa70c bfd8cb56 781ef2b5 b2d3f249 c1b571a2
                80280004 e57a3bcf
                """),
            message: STUNMessage(
                .request, .binding, first,
                [
                    .software("STUN test client"), .priority(0x6E00_01FF), .iceControlled(0x932F_F9B1_5126_3B36),
                    .username("evtj:h6vY"),
                ]),
            integrity: .sha1, key: password, hasFingerprint: true),
        STUNVector(
            testDescription: "RFC 5769 section 2.2",
            bytes: hex(
                """
                0101003c 2112a442 b7e7a701 bc34d686 fa87dfae 8022000b 74657374 20766563 746f7220
                00200008 0001a147 e112a643 00080014 2b91f599 fd9e90c3 8c7489f9 2af9ba53 f06be7d7 80280004 c07d4c96
                """),
            message: STUNMessage(
                .success, .binding, first,
                [
                    .software("test vector"),
                    .xorMappedAddress(TransportAddress(IPAddress("192.0.2.1")!, port: 32853)),
                ]),
            integrity: .sha1, key: password, hasFingerprint: true),
        STUNVector(
            testDescription: "RFC 5769 section 2.3",
            bytes: hex(
                """
                01010048 2112a442 b7e7a701 bc34d686 fa87dfae 8022000b 74657374 20766563 746f7220
                00200014 0002a147 0113a9fa a5d3f179 bc25f4b5 bed2b9d9
                00080014 a382954e 4be67bf1 1784c97c 8292c275 bfe3ed41 80280004 c8fb0b4c
                """),
            message: STUNMessage(
                .success, .binding, first,
                [
                    .software("test vector"),
                    .xorMappedAddress(
                        TransportAddress(IPAddress("2001:db8:1234:5678:11:2233:4455:6677")!, port: 32853)),
                ]),
            integrity: .sha1, key: password, hasFingerprint: true),
        STUNVector(
            testDescription: "RFC 5769 section 2.4",
            bytes: hex(
                """
                00010060 2112a442 78ad3433 c6ad72c0 29da412e
                00060012 e3839ee3 8388e383 aae38383 e382afe3 82b90000
                0015001c 662f2f34 39396b39 35346436 4f4c3334 6f4c3946 53547679 36347341
                0014000b 6578616d 706c652e 6f726700 00080014 f6702465 6dd64a3e 02b8e071 2e85c9a2 8ca89666
                """),
            message: STUNMessage(
                .request, .binding, second,
                [
                    .username("\u{30DE}\u{30C8}\u{30EA}\u{30C3}\u{30AF}\u{30B9}"),
                    .nonce("f//499k954d6OL34oL9FSTvy64sA"), .realm("example.org"),
                ]),
            integrity: .sha1, key: .longTerm(sha256: false, "TheMatrIX"), hasFingerprint: false),
        STUNVector(
            testDescription: "RFC 8489 appendix B.1",
            bytes: hex(
                """
                00010090 2112a442 78ad3433 c6ad72c0 29da412e
                001e0020 4a3cf38f ef6992bd a952c678 0417da0f 24819415 569e60b2 05c46e41 407f1704
                00150029 6f624d61 744a6f73 32414141 43662f2f 3439396b 39353464 364f4c33 346f4c39 46535476
                79363473 41000000
                0014000b 6578616d 706c652e 6f726700 001d0004 00020000
                001c0020 b5c7bf00 5b6c52a2 1c51c5e8 92f81924 136296cb 927c4314 9309278c c6518e65
                """),
            message: STUNMessage(
                .request, .binding, second,
                [
                    .userhash(hex("4a3cf38f ef6992bd a952c678 0417da0f 24819415 569e60b2 05c46e41 407f1704")),
                    .nonce("obMatJos2AAACf//499k954d6OL34oL9FSTvy64sA"), .realm("example.org"),
                    .passwordAlgorithm(.sha256),
                ]),
            integrity: .sha256, key: .longTerm(sha256: true, "TheMatrIX"), hasFingerprint: false),
    ]
}
