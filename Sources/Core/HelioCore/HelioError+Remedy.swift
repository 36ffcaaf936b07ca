extension HelioError {
    /// A remedy for an error, beside what its message says. A program describes it in terms of its own options and
    /// screens. More may be added: treat one that you don't know as none.
    public enum Remedy: Hashable, Sendable {
        /// Share at another port, or at any free one.
        case chooseSharingPort
        /// Serve players at another address or port.
        case choosePlayerAddress
        /// Receive what programs publish at another address or port.
        case chooseReceivingAddress
        /// Keep this installation's identity in another folder.
        case chooseHome
        /// Name another display, or make one known.
        case chooseDisplay
        /// Switch the display's outputs on.
        case switchOnOutputs
        /// Open the window on a desktop, or name its display.
        case watchFromDesktop
        /// Record to another file, or replace the one that is there.
        case replaceRecording
        /// Check that a host shares there.
        case startHost
        /// Connect to the port that the host shows for this.
        case checkPort
        /// Look up what hosts announce themselves.
        case findHost
        /// Give the code that the sharing machine shows.
        case giveCode
        /// Leave the code out: it belongs to a host's address.
        case leaveOutCode
        /// Connect by the link that the host shows.
        case useLink
        /// Pair with this host first, or connect by a link or code.
        case pairFirst(host: String)
        /// Pair with this host once more.
        case pairAgain(host: String)
        /// Pair with the host once more, if it is known to have been set up anew.
        case pairAgainIfSetUpAnew
        /// Have the host pair by a code in a file.
        case pairByCodeFile
        /// Revoke a device at the host.
        case revokeDevice
        /// Look up what devices are paired.
        case listDevices
        /// Choose one suite for the same media at both ends.
        case agreeOnSuite
        /// Give both ends the same key of the suite.
        case agreeOnSuiteKey
        /// Leave the suite out: it belongs to a host of our own kind.
        case leaveOutSuite
        /// Give name and password for the server that a stream is played from.
        case givePlayCredentials
        /// Give name and password for the server that is published to, apart from its address.
        case givePublishCredentials
        /// Give the key of the server that is broadcast to, apart from its address.
        case giveBroadcastKey
        /// Send media by UDP when publishing.
        case publishByDatagrams
        /// Have players show a password, or serve this machine alone.
        case protectPlayers
        /// Have publishing programs show a password, or receive from this machine alone.
        case protectReceiver
    }
}
