public import Foundation
public import HelioCore

extension HelioError: LocalizedError {
    /// The error's message, followed by its remedy as a command-line hint.
    var sentence: String { remedy.map { "\(message) \($0.sentence)" } ?? message }

    /// The `sentence`; ArgumentParser prints this property when a command fails.
    public var errorDescription: String? { sentence }
}

extension HelioError.Remedy {
    /// A sentence that names the option or command that helps.
    fileprivate var sentence: String {
        switch self {
        case .chooseSharingPort: "Choose another with --port, or --port 0 for any free one."
        case .choosePlayerAddress: "Choose another address or port with --rtsp HOST:PORT."
        case .chooseReceivingAddress: "Choose another address or port with --receive HOST:PORT."
        case .chooseHome: "Or name another with HELIOGRAPH_HOME."
        case .chooseDisplay: "Set DISPLAY, or name one with --display."
        case .nameDisplay(let display):
            "The windows of X programs alone, with black around them, are shared with --display \(display)."
        case .switchOnOutputs: "'xrandr --auto' switches them on."
        case .watchFromDesktop:
            "Run this in a terminal on the desktop itself; from elsewhere set DISPLAY (such as DISPLAY=:0) and XAUTHORITY."
        case .replaceRecording: "Give another name, or replace it with --record-overwrite."
        case .startHost: "Is 'heliograph share' running there, and does a firewall let that port through?"
        case .checkPort:
            "Give the address and port that 'heliograph share' shows; its link for browsers is opened in a browser."
        case .findHost: "'heliograph discover' lists those near you."
        case .giveCode: "Or give the code that the sharing machine shows, with --code."
        case .leaveOutCode: "Leave --code out."
        case .useLink: "Use the link that it shows, with 'heliograph view LINK'."
        case .pairFirst(let host):
            "Run 'heliograph pair \(host)' first, or give the link that the sharing machine shows, or its address and "
                + "--code."
        case .pairAgain(let host): "Pair again with 'heliograph pair \(host)'."
        case .pairAgainIfSetUpAnew: "If you know that it was, pair again with 'heliograph pair'."
        case .pairByCodeFile: "Or start it with --pair-code-file."
        case .revokeDevice: "Revoke one there with 'heliograph devices revoke NAME'."
        case .listDevices: "'heliograph devices' lists those that are paired, and the hosts that this machine knows."
        case .agreeOnSuite: "Start both with the same --suite and --suite-scope."
        case .agreeOnSuiteKey: "Give both the same --suite-key."
        case .leaveOutSuite: "Leave --suite out with rtsp:// and --receive."
        case .givePlayCredentials:
            "Set HELIOGRAPH_RTSP_USER and HELIOGRAPH_RTSP_PASSWORD, or give rtsp://USER:PASSWORD@... on standard input to "
                + "'heliograph view -'."
        case .givePublishCredentials: "Give --publish-credentials FILE, with NAME:PASSWORD in it."
        case .giveBroadcastKey:
            "Give --broadcast-keys FILE, with a line for each --broadcast, or set HELIOGRAPH_BROADCAST_KEYS."
        case .publishByDatagrams: "Leave --publish-tcp out."
        case .protectPlayers: "Give --rtsp-credentials FILE, or use 127.0.0.1."
        case .protectReceiver: "Give --receive-credentials FILE, or use 127.0.0.1."
        case .nameAndroidPhone: "Name one with --android SERIAL; --list-android shows them."
        }
    }
}
