/// The reason why an X server's clipboard did not do something.
enum X11ClipboardDrop: String, CaseIterable, Hashable, Sendable {
    /// A copy whose program did not say in time what it has, or not at all.
    case targetsMissing = "x11-clipboard-targets-missing"
    /// A copy that is marked as a secret.
    case secret = "x11-clipboard-secret"
    /// A read of what is not to be had any longer.
    case readGone = "x11-clipboard-read-gone"
    /// A read that was one too many, that the program refused or did not answer in time, or of too much.
    case readBusy = "x11-clipboard-read-busy"
    case readRefused = "x11-clipboard-read-refused"
    case readTimedOut = "x11-clipboard-read-timed-out"
    case readTooLarge = "x11-clipboard-read-too-large"
    /// An offer that another program's copy came before.
    case offerLost = "x11-clipboard-offer-lost"
    /// A paste of what was not offered, that was one too many, or that is older than the offer.
    case pasteUnknown = "x11-clipboard-paste-unknown"
    case pasteBusy = "x11-clipboard-paste-busy"
    case pasteTooOld = "x11-clipboard-paste-too-old"
    /// A paste whose content did not come, or not in time.
    case pasteFailed = "x11-clipboard-paste-failed"
    case pasteTimedOut = "x11-clipboard-paste-timed-out"
    /// A paste whose program has vanished, or takes no more.
    case requestorGone = "x11-clipboard-requestor-gone"
    case requestorStopped = "x11-clipboard-requestor-stopped"
    /// Content for a paste that is not waited for any more.
    case unwantedContent = "x11-clipboard-unwanted-content"
    /// A call while so many wait that nobody can take them in time.
    case callDropped = "x11-clipboard-call-dropped"
}
