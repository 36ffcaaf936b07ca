import Foundation

/// Debian's nginx with its RTMP module, behind TLS: a third-party server on loopback. Ends with this object.
package final class NginxServer {
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    private static let program = "/usr/sbin/nginx"

    package let port: UInt16
    package let securePort: UInt16
    /// The certificate's SHA-256 fingerprint, with colons.
    package let fingerprint: String
    package private(set) var program: RunningProgram
    private let folder: URL

    package init() throws {
        guard FileManager.default.isExecutableFile(atPath: Self.program) else {
            throw Missing(description: "\(Self.program) is missing: script/install-packages test")
        }
        let ports = (0..<3).compactMap { _ in LoopbackPort.find() }
        guard ports.count == 3 else { throw Missing(description: "no port is free") }
        (port, securePort) = (ports[0], ports[1])
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let openssl = ["env", "-C", folder.path, "openssl"]
        try Tool.run(
            openssl + [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=rtmps.example", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out",
                "certificate.pem",
            ])
        let said = try Tool.run(openssl + ["x509", "-noout", "-fingerprint", "-sha256", "-in", "certificate.pem"])
        fingerprint = String(
            String(decoding: said, as: UTF8.self).split(separator: "=")[1].filter { !$0.isWhitespace })
        try Self.configuration(folder.path, ports).write(
            to: folder.appendingPathComponent("nginx.conf"), atomically: true, encoding: .utf8)
        program = try Self.start(folder)
        try waitUntilListening()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func configuration(_ folder: String, _ ports: [UInt16]) -> String {
        """
        load_module /usr/lib/nginx/modules/ngx_rtmp_module.so;
        load_module /usr/lib/nginx/modules/ngx_stream_module.so;
        daemon off;
        master_process off;
        pid \(folder)/nginx.pid;
        error_log stderr info;
        events { worker_connections 64; }
        rtmp {
            server {
                listen 127.0.0.1:\(ports[0]);
                out_queue 4096;
                notify_method get;
                application live {
                    live on;
                    wait_video on;
                    publish_notify on;
                    record all;
                    record_path \(folder);
                    record_suffix .flv;
                }
                application locked {
                    live on;
                    on_publish http://127.0.0.1:\(ports[2])/denied;
                }
            }
        }
        stream {
            server {
                listen 127.0.0.1:\(ports[1]) ssl;
                ssl_certificate \(folder)/certificate.pem;
                ssl_certificate_key \(folder)/key.pem;
                proxy_pass 127.0.0.1:\(ports[0]);
            }
        }
        http {
            access_log off;
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            server {
                listen 127.0.0.1:\(ports[2]);
                location / { return 403; }
            }
        }
        """
    }

    private static func start(_ folder: URL) throws -> RunningProgram {
        try RunningProgram(
            program, ["-p", folder.path, "-c", folder.appendingPathComponent("nginx.conf").path], environment: [:])
    }

    private func waitUntilListening() throws {
        guard Patience().wait(until: { LoopbackPort.listens(port, at: "127.0.0.1") }) else {
            throw Missing(description: "nginx does not listen: \(program.text)")
        }
    }

    package func restart() throws {
        program = try Self.start(folder)
        try waitUntilListening()
    }

    /// The file to which a stream is recorded.
    package func recording(of name: String) -> String { folder.appendingPathComponent("\(name).flv").path }
}
