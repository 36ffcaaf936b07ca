/// The reason why a clipboard operation of a desktop's session failed, or was dropped.
enum SessionClipboardDrop: String, CaseIterable, Hashable, Sendable {
    /// A copy that is marked as secret.
    case secret = "session-clipboard-secret"
    /// A read of content that was replaced by a later copy.
    case readGone = "session-clipboard-read-gone"
    /// A read that was refused, as too many reads were going on.
    case readBusy = "session-clipboard-read-busy"
    /// A read that the desktop or the copying program refused.
    case readRefused = "session-clipboard-read-refused"
    /// A read that the copying program did not answer in time.
    case readTimedOut = "session-clipboard-read-timed-out"
    /// A read of content that exceeded the reader's limit.
    case readTooLarge = "session-clipboard-read-too-large"
    /// A paste of a format that is not offered.
    case pasteUnknown = "session-clipboard-paste-unknown"
    /// A paste that was refused, as too many pastes were being served.
    case pasteBusy = "session-clipboard-paste-busy"
    /// A paste whose content the other machine failed to provide.
    case pasteFailed = "session-clipboard-paste-failed"
    /// A paste whose content the other machine did not provide in time.
    case pasteTimedOut = "session-clipboard-paste-timed-out"
    /// A paste by a program that closed its end.
    case requestorGone = "session-clipboard-requestor-gone"
    /// A paste by a program that stopped reading.
    case requestorStopped = "session-clipboard-requestor-stopped"
    /// Content that the other machine provided after the paste had ended.
    case unwantedContent = "session-clipboard-unwanted-content"
}
