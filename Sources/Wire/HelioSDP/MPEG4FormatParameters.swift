import HelioCore

/// The parameters of AAC in the form of `mpeg4-generic` ([RFC 3640](https://www.rfc-editor.org/rfc/rfc3640) section
/// 4.1): the decoder's configuration, and the field widths of access unit headers.
package struct MPEG4FormatParameters: Sendable, Hashable {
    /// `config`: an `AudioSpecificConfig`.
    package var configuration: [UInt8]
    /// `sizelength`, `indexlength`, `indexdeltalength`, in bits; 0 for a missing field.
    package var sizeLength: Int
    package var indexLength: Int
    package var indexDeltaLength: Int
    /// `profile-level-id`: the level of ISO/IEC 14496-1 table 5; players ignore it.
    package var profileLevel: Int

    /// Makes the parameters of mode AAC-hbr.
    package init(configuration: [UInt8], profileLevel: Int = 1) {
        self.configuration = configuration
        self.profileLevel = profileLevel
        sizeLength = 13
        indexLength = 3
        indexDeltaLength = 3
    }

    /// Reads the parameters. Returns `nil` if the mode is neither AAC-hbr nor AAC-lbr, if the configuration is missing,
    /// or if there are header fields or auxiliary data that those modes do not have.
    package init?(_ parameters: FormatParameters) {
        guard let mode = parameters["mode"] else { return nil }
        guard Text.equalIgnoringCase(mode, "AAC-hbr") || Text.equalIgnoringCase(mode, "AAC-lbr"),
            let text = parameters["config"],
            let configuration = Hexadecimal.bytes(text, limit: Self.maximumConfiguration), !configuration.isEmpty,
            // Cameras omit streamtype; if present, it has to be 5, audio.
            parameters["streamtype"].map({ $0 == "5" }) ?? true
        else { return nil }
        for name in Self.absent where parameters[name].map({ $0 != "0" }) ?? false { return nil }
        let widths = [("sizelength", 16), ("indexlength", 8), ("indexdeltalength", 8)].map { name, limit in
            parameters[name] == nil ? 0 : parameters.number(name, in: 0...limit)
        }
        guard let size = widths[0], let index = widths[1], let delta = widths[2], size > 0 else { return nil }
        self.init(configuration: configuration, profileLevel: parameters.number("profile-level-id", in: 0...255) ?? 1)
        sizeLength = size
        indexLength = index
        indexDeltaLength = delta
    }

    package var parameters: [FormatParameters.Parameter] {
        [
            .init("streamtype", "5"), .init("profile-level-id", String(profileLevel)),
            .init("mode", sizeLength < 13 ? "AAC-lbr" : "AAC-hbr"), .init("sizelength", String(sizeLength)),
            .init("indexlength", String(indexLength)), .init("indexdeltalength", String(indexDeltaLength)),
            .init("config", Hexadecimal.text(configuration)),
        ]
    }

    private static let maximumConfiguration = 64
    private static let absent = [
        "ctsdeltalength", "dtsdeltalength", "randomaccessindication", "streamstateindication",
        "auxiliarydatasizelength", "constantsize", "maxdisplacement", "de-interleavebuffersize",
    ]
}
