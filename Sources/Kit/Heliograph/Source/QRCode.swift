private import HelioCore

/// QR codes as text for a terminal.
public enum QRCode {
    /// Renders a text as a QR code of half-block characters, with the quiet zone that scanners need. Returns `nil` if
    /// the text is too long.
    public static func render(_ text: String) -> String? { systemSource.terminalQRCode(text) }
}
