import Foundation

/// A program on a home's router, which runs whatever the router's kind is: the portal that `RouterKind.portal` leads to,
/// or the proxy of `RouterKind.proxy`. Ends with this object.
package final class RouterProgram {
    private let folder: URL
    private let program: RunningProgram

    private init(_ folder: URL, _ program: RunningProgram, ready: String) throws {
        (self.folder, self.program) = (folder, program)
        try program.line(with: ready)
    }

    deinit {
        program.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Debian's nginx: sends every request, by HTTP and by HTTPS with a certificate of its own, to a login page.
    package static func portal(of home: TwoHomes.Home, in world: TwoHomes) throws -> RouterProgram {
        let folder = try makeFolder()
        try Tool.run([
            "env", "-C", folder.path, "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=portal.example", "-keyout", "key.pem",
            "-out", "certificate.pem",
        ])
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder.path)/\($0);" }
        let configuration = """
            daemon off;
            master_process off;
            pid \(folder.path)/nginx.pid;
            error_log stderr notice;
            events { worker_connections 64; }
            http {
                access_log off;
                \(paths.joined(separator: " "))
                server {
                    listen \(RouterKind.portalPort);
                    listen \(RouterKind.securePortalPort) ssl;
                    ssl_certificate \(folder.path)/certificate.pem;
                    ssl_certificate_key \(folder.path)/key.pem;
                    return 302 http://portal.example/login;
                }
            }

            """
        let file = folder.path + "/nginx.conf"
        try configuration.write(toFile: file, atomically: true, encoding: .utf8)
        // Its sockets listen by the time it tells how it waits.
        return try RouterProgram(
            folder, world.router(home).start("/usr/sbin/nginx", ["-p", folder.path, "-c", file]), ready: "event method")
    }

    /// Debian's tinyproxy: passes `CONNECT` to port 443 alone.
    package static func proxy(of home: TwoHomes.Home, in world: TwoHomes) throws -> RouterProgram {
        let folder = try makeFolder()
        let file = folder.path + "/tinyproxy.conf"
        try "Port \(RouterKind.proxyPort)\nTimeout 600\nMaxClients 32\nConnectPort 443\nLogLevel Info\n".write(
            toFile: file, atomically: true, encoding: .utf8)
        return try RouterProgram(
            folder, world.router(home).start("/usr/bin/tinyproxy", ["-d", "-c", file]), ready: "Accepting connections")
    }

    private static func makeFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-router-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
