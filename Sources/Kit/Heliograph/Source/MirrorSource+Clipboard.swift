public import HelioCore
private import HelioServing
private import HelioViewing

extension MirrorSource {
    /// Whether the clipboard is shared with whoever drives now.
    public var isSharingClipboard: Bool { serving.clipboard?.isOn ?? false }

    /// Shares the clipboard from now on, or takes what viewers put there off it and gives nothing more.
    ///
    /// Throws `unsupported` where the source was started without `Options.clipboard`, or there is no clipboard.
    public func shareClipboard(_ isShared: Bool) throws(HelioError) {
        guard let clipboard = serving.clipboard else {
            if isShared { throw HelioError(.unsupported, "This source was started without a clipboard.") }
            return
        }
        clipboard.isOn = isShared
        serving.server.setClipboard(clipboard.terms)
    }
}
