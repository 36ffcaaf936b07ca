private import HelioCore
package import HelioHostFlow
package import Heliograph

/// Starts to share this desktop.
package enum DesktopSharing {
    /// Shares by the usual ports, or by free ones if they are taken, also with browsers and with files. Throws the
    /// errors of `MirrorSource.start(_:)`.
    ///
    /// - Parameter base: the options that the user can't choose.
    package static func start(
        _ wanted: SharingOptions, base: MirrorSource.Options = usual
    ) async throws -> any HostSharing {
        do {
            return try await MirrorSharing.start(wanted, base: base)
        } catch let error as HelioError where error.remedy == .chooseSharingPort && base.port != 0 {
            var others = base
            others.port = 0
            return try await MirrorSharing.start(wanted, base: others)
        }
    }

    /// The options of the app: browsers are served, and files are asked about.
    package static var usual: MirrorSource.Options {
        var options = MirrorSource.Options()
        options.web = WebOptions()
        options.files = FileOptions()
        return options
    }
}
