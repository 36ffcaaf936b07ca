import HelioCore

/// The parameters of AAC in the form of `MP4A-LATM`, which GStreamer publishes and some cameras send
/// ([RFC 6416](https://www.rfc-editor.org/rfc/rfc6416) section 7.3).
package struct LATMFormatParameters: Sendable, Hashable {
    /// `config`: a `StreamMuxConfig`.
    package var configuration: [UInt8]

    package init(configuration: [UInt8]) { self.configuration = configuration }

    /// Reads the parameters; `nil` if the configuration is missing, or is sent within the stream.
    package init?(_ parameters: FormatParameters) {
        guard parameters["cpresent"] == "0", let text = parameters["config"],
            let configuration = Hexadecimal.bytes(text, limit: Self.maximumConfiguration), !configuration.isEmpty
        else { return nil }
        self.configuration = configuration
    }

    package var parameters: [FormatParameters.Parameter] {
        [.init("cpresent", "0"), .init("config", Hexadecimal.text(configuration))]
    }

    private static let maximumConfiguration = 64
}
