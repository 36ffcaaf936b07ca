/// The reason why an operation of a Wayland compositor's clipboard failed, or was dropped.
enum WaylandClipboardDrop: String, CaseIterable, Hashable, Sendable {
    /// A copy that is marked as secret, or whose mark can't be read.
    case secret = "wayland-clipboard-secret"
    /// A format of a copy beyond the number that is kept, or with an overlong name.
    case typeRefused = "wayland-clipboard-type-refused"
    /// A read of content that was replaced by a later copy.
    case readGone = "wayland-clipboard-read-gone"
    /// A read that was refused, as too many reads were in progress.
    case readBusy = "wayland-clipboard-read-busy"
    /// A read for which this process had no file descriptor left, or that failed.
    case readFailed = "wayland-clipboard-read-failed"
    /// A read that the copying program did not answer in time.
    case readTimedOut = "wayland-clipboard-read-timed-out"
    /// A read of content that exceeded the reader's limit.
    case readTooLarge = "wayland-clipboard-read-too-large"
    /// A paste of a format that is not offered.
    case pasteUnknown = "wayland-clipboard-paste-unknown"
    /// A paste that was refused, as too many pastes were being served.
    case pasteBusy = "wayland-clipboard-paste-busy"
    /// A paste whose content the other machine failed to provide.
    case pasteFailed = "wayland-clipboard-paste-failed"
    /// A paste whose content the other machine did not provide in time.
    case pasteTimedOut = "wayland-clipboard-paste-timed-out"
    /// A paste by a program that closed its end.
    case requestorGone = "wayland-clipboard-requestor-gone"
    /// A paste by a program that stopped reading.
    case requestorStopped = "wayland-clipboard-requestor-stopped"
    /// Content that the other machine provided after the paste had ended.
    case unwantedContent = "wayland-clipboard-unwanted-content"
}
