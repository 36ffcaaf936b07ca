/// The reason why a clipboard operation failed, or was dropped.
enum X11ClipboardDrop: String, CaseIterable, Hashable, Sendable {
    /// A copy whose program did not answer the request for its formats in time.
    case targetsMissing = "x11-clipboard-targets-missing"
    /// A copy that is marked as secret, or whose mark can't be read.
    case secret = "x11-clipboard-secret"
    /// A read of content that was replaced by a later copy.
    case readGone = "x11-clipboard-read-gone"
    /// A read that was refused, as too many reads were queued.
    case readBusy = "x11-clipboard-read-busy"
    /// A read that the copying program refused.
    case readRefused = "x11-clipboard-read-refused"
    /// A read that the copying program did not answer in time.
    case readTimedOut = "x11-clipboard-read-timed-out"
    /// A read of content that exceeded the reader's limit.
    case readTooLarge = "x11-clipboard-read-too-large"
    /// An offer that failed because another program took the selection first.
    case offerLost = "x11-clipboard-offer-lost"
    /// A paste of a target that is not offered.
    case pasteUnknown = "x11-clipboard-paste-unknown"
    /// A paste that was refused, as too many pastes were being served.
    case pasteBusy = "x11-clipboard-paste-busy"
    /// A paste that was requested with a time before the offer.
    case pasteTooOld = "x11-clipboard-paste-too-old"
    /// A paste whose content the other machine failed to provide.
    case pasteFailed = "x11-clipboard-paste-failed"
    /// A paste whose content the other machine did not provide in time.
    case pasteTimedOut = "x11-clipboard-paste-timed-out"
    /// A paste by a program whose window was destroyed.
    case requestorGone = "x11-clipboard-requestor-gone"
    /// A paste by a program that did not acknowledge a chunk in time.
    case requestorStopped = "x11-clipboard-requestor-stopped"
    /// Content that the other machine provided after the paste had ended.
    case unwantedContent = "x11-clipboard-unwanted-content"
    /// A call while the queue of calls was full.
    case callDropped = "x11-clipboard-call-dropped"
}
