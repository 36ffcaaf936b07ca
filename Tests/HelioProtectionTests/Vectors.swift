import HelioCore
import HelioProtection
import Testing

/// Known-answer vectors, copied from the documents named.
enum Vectors {
    /// RFC 3711 appendix B.2: AES-CM keystream; the salt is already shifted; SSRC and index are zero.
    static let keystreamKey = hex("2B7E151628AED2A6ABF7158809CF4F3C")
    static let keystreamCounter = hex("F0F1F2F3F4F5F6F7F8F9FAFBFCFD0000")
    /// The blocks 0, 1, 2 and 0xFEFF, 0xFF00, 0xFF01 of 65,282.
    static let keystreamBlocks: [(block: Int, bytes: [UInt8])] = [
        (0x0000, hex("E03EAD0935C95E80E166B16DD92B4EB4")), (0x0001, hex("D23513162B02D0F72A43A2FE4A5F97AB")),
        (0x0002, hex("41E95B3BB0A2E8DD477901E4FCA894C0")), (0xFEFF, hex("EC8CDF7398607CB0F2D21675EA9EA1E4")),
        (0xFF00, hex("362B7C3C6773516318A077D7FC5073AE")), (0xFF01, hex("6A2CC3787889374FBEB4C81B17BA6C44")),
    ]

    /// RFC 3711 appendix B.3: master key and salt, and the RTP session keys derived from them.
    static let derivationMaster = hex("E1F97A0D3E018BE0D64FA32C06DE4139 0EC675AD498AFEEBB6960B3AABE6")
    static let derivedKey = hex("C61E7A93744F39EE10734AFE3FF7A087")
    static let derivedSalt = hex("30CBBC08863D8C85D49DB34A9AE1")
    static let derivedAuthentication = hex("CEBE321F6FF7716B6FD4AB49AF256A156D38BAA4")

    /// AES_CM_128_HMAC_SHA1_80 packets under that master key, from the self-test of the SRTP reference
    /// implementation (libsrtp, `srtp_validate`).
    static let counterModeRTP = hex("800f1234 decafbad cafebabe abababab abababab abababab abababab")
    static let counterModeSRTP = hex(
        "800f1234 decafbad cafebabe 4e55dc4c e79978d8 8ca4d215 949d2402 b78d6acc 99ea179b 8dbb")
    static let counterModeRTCP = hex("81c8000b cafebabe abababab abababab abababab abababab")
    /// The SRTCP packet with index 1.
    static let counterModeSRTCP = hex(
        "81c8000b cafebabe 7128035b e487b9bd bef89041 f977a5a8 80000001 993e08cd 54d6c123 0798")

    /// RFC 7714 sections 16 and 17. These are session keys and salts, not master keys; the RTP rollover counter is 0.
    struct GCM: CustomTestStringConvertible {
        let profile: SRTPProfile
        let key: [UInt8]
        let srtp: [UInt8]
        let srtpTagged: [UInt8]
        let srtcp: [UInt8]
        let srtcpTagged: [UInt8]
        var testDescription: String { profile.rawValue }
    }
    static let gcmSalt = hex("51756964 2070726f 2071756f")
    static let gcmRTP = hex(
        "8040f17b 8041f8d3 5501a0b2"
            + "47616c6c 69612065 7374206f 6d6e6973 20646976 69736120 696e2070 61727465 73207472 6573")
    static let gcmRTCP = hex(
        "81c8000d 4d617273" + "4e545031 4e545032 52545020 0000042a 0000e930 4c756e61"
            + "deadbeef deadbeef deadbeef deadbeef deadbeef")
    static let gcmRTCPIndex: UInt32 = 0x5d4
    static let gcm = [
        GCM(
            profile: .aeadAes128Gcm,
            key: hex("00010203 04050607 08090a0b 0c0d0e0f"),
            srtp: hex(
                """
                8040f17b 8041f8d3 5501a0b2 f24de3a3 fb34de6c acba861c 9d7e4bca be633bd5
                0d294e6f 42a5f47a 51c7d19b 36de3adf 8833899d 7f27beb1 6a9152cf 765ee439
                0cce
                """),
            srtpTagged: hex(
                """
                8040f17b 8041f8d3 5501a0b2 47616c6c 69612065 7374206f 6d6e6973 20646976
                69736120 696e2070 61727465 73207472 65732249 3f82d2bc e397e9d7 9e3b19aa
                4216
                """),
            srtcp: hex(
                """
                81c8000d 4d617273 63e94885 dcdab67c a727d766 2f6b7e99 7ff5c0f7 6c06f32d
                c676a5f1 730d6fda 4ce09b46 86303ded 0bb9275b c84aa458 96cf4d2f c5abf872
                45d9eade 800005d4
                """),
            srtcpTagged: hex(
                """
                81c8000d 4d617273 4e545031 4e545032 52545020 0000042a 0000e930 4c756e61
                deadbeef deadbeef deadbeef deadbeef deadbeef 841dd968 3dd78ec9 2ae58790
                125f62b3 000005d4
                """)),
        GCM(
            profile: .aeadAes256Gcm,
            key: hex("00010203 04050607 08090a0b 0c0d0e0f 10111213 14151617 18191a1b 1c1d1e1f"),
            srtp: hex(
                """
                8040f17b 8041f8d3 5501a0b2 32b1de78 a822fe12 ef9f78fa 332e33aa b1801238
                9a58e2f3 b50b2a02 76ffae0f 1ba63799 b87b7aa3 db36dfff d6b0f9bb 7878d7a7
                6c13
                """),
            srtpTagged: hex(
                """
                8040f17b 8041f8d3 5501a0b2 47616c6c 69612065 7374206f 6d6e6973 20646976
                69736120 696e2070 61727465 73207472 6573a866 d5910f88 7463067c eefec452
                15d4
                """),
            srtcp: hex(
                """
                81c8000d 4d617273 d50ae4d1 f5ce5d30 4ba297e4 7d470c28 2c3ece5d bffe0a50
                a2eaa5c1 110555be 8415f658 c61de047 6f1b6fad 1d1eb30c 4446839f 57ff6f6c
                b26ac3be 800005d4
                """),
            srtcpTagged: hex(
                """
                81c8000d 4d617273 4e545031 4e545032 52545020 0000042a 0000e930 4c756e61
                deadbeef deadbeef deadbeef deadbeef deadbeef 91db4afb feee5a97 8fab4393
                ed2615fe 000005d4
                """)),
    ]

    /// Vectors of HMAC-SHA1 (RFC 2202 section 3) and HMAC-SHA256 (RFC 4231 section 4), by test case number.
    struct MAC: CustomTestStringConvertible {
        let testDescription: String
        let algorithm: MACAlgorithm
        let key: [UInt8]
        let message: [UInt8]
        let code: [UInt8]
    }
    static let macs = [
        MAC(
            testDescription: "RFC 2202 case 1", algorithm: .sha1, key: repeated(0x0b, 20),
            message: Array("Hi There".utf8), code: hex("b617318655057264e28bc0b6fb378c8ef146be00")),
        MAC(
            testDescription: "RFC 2202 case 2", algorithm: .sha1, key: Array("Jefe".utf8),
            message: Array("what do ya want for nothing?".utf8), code: hex("effcdf6ae5eb2fa2d27416d5f184df9c259a7c79")),
        MAC(
            testDescription: "RFC 2202 case 3", algorithm: .sha1, key: repeated(0xaa, 20), message: repeated(0xdd, 50),
            code: hex("125d7342b9ac11cd91a39af48aa17b4f63f175d3")),
        MAC(
            testDescription: "RFC 2202 case 4", algorithm: .sha1, key: Array(0x01...0x19), message: repeated(0xcd, 50),
            code: hex("4c9007f4026250c6bc8414f9bf50c86c2d7235da")),
        MAC(
            testDescription: "RFC 2202 case 6", algorithm: .sha1, key: repeated(0xaa, 80),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: hex("aa4ae5e15272d00e95705637ce8a3b55ed402112")),
        MAC(
            testDescription: "RFC 2202 case 7", algorithm: .sha1, key: repeated(0xaa, 80),
            message: Array("Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data".utf8),
            code: hex("e8e99d0f45237d786d6bbaa7965c7808bbff1a91")),
        MAC(
            testDescription: "RFC 2202 MD5 case 1", algorithm: .md5, key: repeated(0x0b, 16),
            message: Array("Hi There".utf8), code: hex("9294727a3638bb1c13f48ef8158bfc9d")),
        MAC(
            testDescription: "RFC 2202 MD5 case 2", algorithm: .md5, key: Array("Jefe".utf8),
            message: Array("what do ya want for nothing?".utf8), code: hex("750c783e6ab0b503eaa86e310a5db738")),
        MAC(
            testDescription: "RFC 2202 MD5 case 3", algorithm: .md5, key: repeated(0xaa, 16),
            message: repeated(0xdd, 50), code: hex("56be34521d144c88dbb8c733f0e8b3f6")),
        MAC(
            testDescription: "RFC 2202 MD5 case 4", algorithm: .md5, key: Array(0x01...0x19),
            message: repeated(0xcd, 50), code: hex("697eaf0aca3a3aea3a75164746ffaa79")),
        MAC(
            testDescription: "RFC 2202 MD5 case 6", algorithm: .md5, key: repeated(0xaa, 80),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: hex("6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd")),
        MAC(
            testDescription: "RFC 2202 MD5 case 7", algorithm: .md5, key: repeated(0xaa, 80),
            message: Array("Test Using Larger Than Block-Size Key and Larger Than One Block-Size Data".utf8),
            code: hex("6f630fad67cda0ee1fb1f562db3aa53e")),
        MAC(
            testDescription: "RFC 4231 case 1", algorithm: .sha256, key: repeated(0x0b, 20),
            message: Array("Hi There".utf8),
            code: hex("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")),
        MAC(
            testDescription: "RFC 4231 case 2", algorithm: .sha256, key: Array("Jefe".utf8),
            message: Array("what do ya want for nothing?".utf8),
            code: hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")),
        MAC(
            testDescription: "RFC 4231 case 3", algorithm: .sha256, key: repeated(0xaa, 20),
            message: repeated(0xdd, 50),
            code: hex("773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")),
        MAC(
            testDescription: "RFC 4231 case 4", algorithm: .sha256, key: Array(0x01...0x19),
            message: repeated(0xcd, 50),
            code: hex("82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b")),
        MAC(
            testDescription: "RFC 4231 case 6", algorithm: .sha256, key: repeated(0xaa, 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            code: hex("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")),
        MAC(
            testDescription: "RFC 4231 case 7", algorithm: .sha256, key: repeated(0xaa, 131),
            message: Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. "
                    + "The key needs to be hashed before being used by the HMAC algorithm.").utf8),
            code: hex("9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2")),
    ]

    static func repeated(_ byte: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }
}

/// Returns the bytes of hexadecimal digits; whitespace is skipped, and any other character traps.
func hex(_ text: String) -> [UInt8] { Hexadecimal.bytes(text.filter { !$0.isWhitespace })! }
