private import HelioCore

/// A QR code for a terminal.
public enum QRCode {
    /// Renders a text as lines of half blocks, with the quiet zone that scanners need; `nil` if the text is too long.
    public static func render(_ text: String) -> String? { systemSource.terminalQRCode(text) }
}
