import Foundation
import HelioProtection
import HelioTestPrograms

extension OpenSSLProgram {
    /// Makes a certificate and key in a folder that the caller removes.
    static func makeCertificate(in folder: URL, key: [String]) throws -> DTLSFingerprint {
        try Tool.run(
            ["openssl", "req", "-x509", "-nodes", "-subj", "/CN=peer", "-days", "2"] + key + [
                "-keyout", folder.appending(path: "key.pem").path, "-out", folder.appending(path: "cert.pem").path,
            ])

        // The program's own fingerprint: SHA256 Fingerprint=AA:BB...
        let printer = try OpenSSLProgram([
            "x509", "-noout", "-fingerprint", "-sha256", "-in", folder.appending(path: "cert.pem").path,
        ])
        let digits = try printer.rest(after: "Fingerprint=").split(separator: ":")
        guard let fingerprint = DTLSFingerprint(.sha256, digits.compactMap { UInt8($0, radix: 16) }) else {
            throw Patience.Exhausted(description: "openssl tells no fingerprint")
        }
        return fingerprint
    }
}
