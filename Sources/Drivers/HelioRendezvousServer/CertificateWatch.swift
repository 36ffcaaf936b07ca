internal import HelioCore
internal import HelioTLS

/// The server's TLS settings, made anew when the files of the certificate change. Open connections keep theirs.
final class CertificateWatch {
    private let files: CertificateFiles
    private var text: CertificateFiles.Text
    private(set) var context: TLSServerContext

    /// Reads the files. Throws `systemFailed` if they can't be used.
    init(_ files: CertificateFiles) throws(HelioError) {
        self.files = files
        text = try files.read()
        context = try TLSServerContext(try files.parse(text), from: .tls12)
    }

    /// Reads the files again, some kilobytes. Throws if they can't be used, as they may be in the midst of a renewal:
    /// the earlier certificate stays then.
    ///
    /// - Returns: true if they have changed.
    func refresh() throws(HelioError) -> Bool {
        let now = try files.read()
        if now == text { return false }
        context = try TLSServerContext(try files.parse(now), from: .tls12)
        text = now
        return true
    }
}
