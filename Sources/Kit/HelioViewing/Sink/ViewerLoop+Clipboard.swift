internal import HelioCore
private import HelioSession
internal import HelioSharing

extension ViewerLoop {
    /// Opens the user's clipboard if the options share it. Returns `nil` with a note, instead of throwing, if it can't
    /// be opened.
    static func openClipboard(
        _ options: Viewer.Options, of platform: Platform, for target: ViewTarget, _ onNote: ((String) -> Void)?
    ) throws(HelioError) -> SharedClipboard? {
        guard let wanted = options.clipboard, !options.isViewOnly, !target.isForeign else { return nil }
        return try SharedClipboard.open(
            wanted, isViewers: true, note: { onNote?("The clipboard is not shared: \($0.message)") },
            by: { handler throws(HelioError) in
                try platform.openClipboard(marked: wanted.includesMarked, handler: handler)
            })
    }

    /// Notifies the user, at a limited rate, that the host has read the clipboard's content.
    ///
    /// - Parameter reads: the number of contents that the host has read in the current session.
    func tellOfClipboardReads(_ reads: Int, now: Instant) {
        guard clipboardReads.isDue(reads: reads, now: now) else { return }
        let text = "\(target.shownHost) has read what you copied here. Ctrl+Alt+Shift+C stops sharing the clipboard."
        onNote?(text)
        say(text, for: Self.hintTime)
    }

    func toggleClipboard() {
        guard let clipboard else {
            return say("The clipboard is not shared: this viewer was started without it.")
        }
        clipboard.isOn.toggle()
        watch.submit(.clipboardTerms(clipboard.terms))
        say(clipboard.isOn ? "The clipboard is shared." : "The clipboard is not shared.")
    }
}
