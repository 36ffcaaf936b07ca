extension HelioError {
    /// An action that may resolve an error, in addition to the error's message. The program words it in terms of its
    /// own options and user interface. More cases may be added: treat an unknown case as `nil`.
    public enum Remedy: Hashable, Sendable {
        /// Share on another port, or on any free port.
        case chooseSharingPort
        /// Serve players at another address or port.
        case choosePlayerAddress
        /// Receive published streams at another address or port.
        case chooseReceivingAddress
        /// Store this installation's identity in another folder.
        case chooseHome
        /// Choose another display, or make a display available.
        case chooseDisplay
        /// Name Xwayland's display explicitly, to share only the windows of a Wayland session's X programs.
        case nameDisplay(String)
        /// Switch the display's outputs on.
        case switchOnOutputs
        /// Start the viewer in a desktop session, or specify the session's display.
        case watchFromDesktop
        /// Record to another file, or replace the existing one.
        case replaceRecording
        /// Check that a host is sharing at the address and that no firewall blocks the port.
        case startHost
        /// Connect to the address and port that the host shows for viewers, not to those of its web page.
        case checkPort
        /// List the hosts that announce themselves on the local network.
        case findHost
        /// Enter the code that the sharing machine shows.
        case giveCode
        /// Omit the code, which is used only together with a host's address.
        case leaveOutCode
        /// Connect with the link that the host shows.
        case useLink
        /// Pair with this host first, or connect with a link or code.
        case pairFirst(host: String)
        /// Pair with this host again, as it no longer knows this device or the secret of the pairing.
        case pairAgain(host: String)
        /// Pair with the host again if the user knows that the host was set up anew.
        case pairAgainIfSetUpAnew
        /// Start the host with a pairing code from a file.
        case pairByCodeFile
        /// Revoke a device at the host.
        case revokeDevice
        /// List the paired devices.
        case listDevices
        /// Choose the same protection suite (cipher and authentication of media) at both ends.
        case agreeOnSuite
        /// Configure the same key of the protection suite at both ends.
        case agreeOnSuiteKey
        /// Omit the protection suite, which only connections between Heliograph programs use.
        case leaveOutSuite
        /// Supply the user name and password of the server from which the stream is played.
        case givePlayCredentials
        /// Supply the user name and password of the server to which the stream is published, separately from its
        /// address.
        case givePublishCredentials
        /// Supply the stream key of the broadcast server, separately from its address.
        case giveBroadcastKey
        /// Publish with media over UDP instead of TCP.
        case publishByDatagrams
        /// Require a password from players, or serve only this machine.
        case protectPlayers
        /// Require a password from publishing programs, or receive only from this machine.
        case protectReceiver
        /// Name one of the Android phones by its serial number.
        case nameAndroidPhone
    }
}
