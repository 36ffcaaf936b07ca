/// The reason why a clipboard operation failed, or was dropped.
enum X11ClipboardDrop: String, CaseIterable, Hashable, Sendable {
    /// A copy whose program did not answer the request for its formats in time.
    case targetsMissing = "x11-clipboard-targets-missing"
    /// A copy that is marked as secret, or whose mark can't be read.
    case secret = "x11-clipboard-secret"
    /// A read of content that was replaced by a later copy.
    case readGone = "x11-clipboard-read-gone"
    /// A read that exceeds the number of queued reads. The next three are reads refused by the program, not answered in
    /// time, or of too many bytes.
    case readBusy = "x11-clipboard-read-busy"
    case readRefused = "x11-clipboard-read-refused"
    case readTimedOut = "x11-clipboard-read-timed-out"
    case readTooLarge = "x11-clipboard-read-too-large"
    /// An offer that failed because another program took the selection first.
    case offerLost = "x11-clipboard-offer-lost"
    /// A paste of a target that is not offered. The next two are pastes beyond the number of requests, or older than
    /// the offer.
    case pasteUnknown = "x11-clipboard-paste-unknown"
    case pasteBusy = "x11-clipboard-paste-busy"
    case pasteTooOld = "x11-clipboard-paste-too-old"
    /// A paste whose content the other machine failed to provide; `pasteTimedOut` if it did not answer in time.
    case pasteFailed = "x11-clipboard-paste-failed"
    case pasteTimedOut = "x11-clipboard-paste-timed-out"
    /// A paste whose program's window was destroyed; `requestorStopped` if the program does not acknowledge a chunk in
    /// time.
    case requestorGone = "x11-clipboard-requestor-gone"
    case requestorStopped = "x11-clipboard-requestor-stopped"
    /// Content that the other machine provided after the paste had ended.
    case unwantedContent = "x11-clipboard-unwanted-content"
    /// A call while the queue of calls was full.
    case callDropped = "x11-clipboard-call-dropped"
}
