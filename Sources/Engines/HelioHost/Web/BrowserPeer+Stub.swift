import HelioCore
import HelioMedia

// Stand-ins until the peer connection has these; not to be merged.
extension BrowserPeer {
    func setOwnPicture(repairs _: Bool?, now _: Instant) {}
    func pictureLost(whole _: UInt32?, now _: Instant) {}
    var hasDependencies: Bool { false }
}
