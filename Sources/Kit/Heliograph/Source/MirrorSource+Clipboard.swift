public import HelioCore
private import HelioServing
private import HelioSharing

extension MirrorSource {
    /// True if the clipboard is shared with the driving viewer.
    public var isSharingClipboard: Bool { serving.clipboard?.isOn ?? false }

    /// Starts or stops sharing the clipboard. Stopping also removes viewers' content from it.
    ///
    /// Throws `unsupported` if `isShared` is true and the source was started without `Options.clipboard`, or there is
    /// no clipboard.
    public func shareClipboard(_ isShared: Bool) throws(HelioError) {
        guard let clipboard = serving.clipboard else {
            if isShared { throw HelioError(.unsupported, "This source was started without a clipboard.") }
            return
        }
        clipboard.isOn = isShared
        serving.server.setClipboard(clipboard.terms)
    }
}
