import HelioCore

/// Test content for clipboards.
enum TestContent {
    /// Returns the header of a PNG file followed by noise.
    static func png(_ count: Int, width: UInt32 = 1920, height: UInt32 = 1080) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        bytes.append(bigEndian: UInt32(13))
        bytes += Array("IHDR".utf8)
        bytes.append(bigEndian: width)
        bytes.append(bigEndian: height)
        var generator = SeededGenerator(seed: UInt64(count))
        while bytes.count + 8 <= count {
            let next = generator.next()
            withUnsafeBytes(of: next) { bytes += $0 }
        }
        while bytes.count < count { bytes.append(7) }
        return bytes
    }

    /// Text in many scripts, with characters that are often mishandled.
    static let scripts = """
        Grüße, κόσμε, привет, שלום עולם, مرحبا, नमस्ते, ไทย, 你好，世界, 日本語かな, 한국어, አማርኛ, ᓀᐦᐃᔭᐍᐏᐣ
        👩🏽‍🚀 👨‍👩‍👧‍👦 🇺🇳 e\u{301} \u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} 𝄞 𒀀 \u{FEFF}\u{202E}x\t\r\nline\rline\n
        """
}
