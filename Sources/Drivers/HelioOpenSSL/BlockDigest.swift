import COpenSSL
import HelioProtection

/// A hash function with blocks of 64 bytes, whose state is a plain value: a copy forks the hash without an allocation.
protocol BlockDigest {
    init()
    mutating func update(_ bytes: RawSpan)
    consuming func finish() -> MACCode
}

extension BlockDigest {
    static func hash(_ message: RawSpan) -> [UInt8] {
        var digest = Self()
        digest.update(message)
        return digest.finish().bytes
    }
}

struct MD5Digest: BlockDigest {
    private var state = MD5_CTX()

    init() { MD5_Init(&state) }

    mutating func update(_ bytes: RawSpan) {
        _ = bytes.withUnsafeBytes { MD5_Update(&state, $0.baseAddress, $0.count) }
    }

    consuming func finish() -> MACCode {
        var code = InlineArray<32, UInt8>(repeating: 0)
        var bytes = code.mutableSpan
        _ = bytes.withUnsafeMutableBufferPointer { MD5_Final($0.baseAddress, &state) }
        return MACCode(code, count: Int(MD5_DIGEST_LENGTH))
    }
}

struct SHA1Digest: BlockDigest {
    private var state = SHA_CTX()

    init() { SHA1_Init(&state) }

    mutating func update(_ bytes: RawSpan) {
        _ = bytes.withUnsafeBytes { SHA1_Update(&state, $0.baseAddress, $0.count) }
    }

    consuming func finish() -> MACCode {
        var code = InlineArray<32, UInt8>(repeating: 0)
        var bytes = code.mutableSpan
        _ = bytes.withUnsafeMutableBufferPointer { SHA1_Final($0.baseAddress, &state) }
        return MACCode(code, count: Int(SHA_DIGEST_LENGTH))
    }
}

struct SHA256Digest: BlockDigest {
    private var state = SHA256_CTX()

    init() { SHA256_Init(&state) }

    mutating func update(_ bytes: RawSpan) {
        _ = bytes.withUnsafeBytes { SHA256_Update(&state, $0.baseAddress, $0.count) }
    }

    consuming func finish() -> MACCode {
        var code = InlineArray<32, UInt8>(repeating: 0)
        var bytes = code.mutableSpan
        _ = bytes.withUnsafeMutableBufferPointer { SHA256_Final($0.baseAddress, &state) }
        return MACCode(code, count: Int(SHA256_DIGEST_LENGTH))
    }
}
