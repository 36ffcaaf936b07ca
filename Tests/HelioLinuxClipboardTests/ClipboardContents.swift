import HelioCore

/// Test content for clipboards.
enum ClipboardContents {
    /// Text in many scripts, with characters that are often mishandled.
    static let scripts = """
        Grüße, κόσμε, привет, שלום עולם, مرحبا, नमस्ते, ไทย, 你好，世界, 日本語かな, 한국어, አማርኛ, ᓀᐦᐃᔭᐍᐏᐣ
        👩🏽‍🚀 👨‍👩‍👧‍👦 🇺🇳 e\u{301} \u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} 𝄞 𒀀 \u{202E}x\t\r\nline\rline\n
        """

    static func noise(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: UInt64(count))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        return Array(bytes.prefix(count))
    }
}
