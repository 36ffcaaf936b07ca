extension HelioError {
    /// A remedy for an error, in addition to its message. A program describes it in terms of its own options and
    /// screens. More cases may be added: treat an unknown one as none.
    public enum Remedy: Hashable, Sendable {
        /// Share at another port, or at any free one.
        case chooseSharingPort
        /// Serve players at another address or port.
        case choosePlayerAddress
        /// Receive published streams at another address or port.
        case chooseReceivingAddress
        /// Keep this installation's identity in another folder.
        case chooseHome
        /// Name another display, or make one available.
        case chooseDisplay
        /// Switch the display's outputs on.
        case switchOnOutputs
        /// Open the window on a desktop, or name its display.
        case watchFromDesktop
        /// Record to another file, or replace the existing one.
        case replaceRecording
        /// Check that a host shares at the address.
        case startHost
        /// Connect to the port that the host shows for this purpose.
        case checkPort
        /// List the hosts that announce themselves.
        case findHost
        /// Enter the code that the sharing machine shows.
        case giveCode
        /// Omit the code, which belongs to a host's address.
        case leaveOutCode
        /// Connect with the link that the host shows.
        case useLink
        /// Pair with this host first, or connect with a link or code.
        case pairFirst(host: String)
        /// Pair with this host again.
        case pairAgain(host: String)
        /// Pair with the host again, if it is known to have been set up anew.
        case pairAgainIfSetUpAnew
        /// Let the host pair with a code in a file.
        case pairByCodeFile
        /// Revoke a device at the host.
        case revokeDevice
        /// List the paired devices.
        case listDevices
        /// Choose the same media suite at both ends.
        case agreeOnSuite
        /// Configure the same key of the suite at both ends.
        case agreeOnSuiteKey
        /// Omit the suite, which belongs to a host of Heliograph's own kind.
        case leaveOutSuite
        /// Supply name and password for the server that a stream is played from.
        case givePlayCredentials
        /// Supply name and password for the server that is published to, separately from its address.
        case givePublishCredentials
        /// Supply the key of the server that is broadcast to, separately from its address.
        case giveBroadcastKey
        /// Send media over UDP when publishing.
        case publishByDatagrams
        /// Require a password from players, or serve only this machine.
        case protectPlayers
        /// Require a password from publishing programs, or receive only from this machine.
        case protectReceiver
    }
}
