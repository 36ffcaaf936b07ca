import Foundation

/// Debian's nginx as the one address of several servers on loopback: connections go to the first one, and to the others
/// while it is away. Ends with this object.
package final class NginxBalancer {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private static let program = "/usr/sbin/nginx"

    package let port: UInt16
    private let folder: URL
    private let program: RunningProgram

    package init(_ servers: [Int]) throws {
        guard FileManager.default.isExecutableFile(atPath: Self.program) else {
            throw Failure(description: "\(Self.program) is missing: script/install-packages test")
        }
        guard let port = LoopbackPort.find() else { throw Failure(description: "no port is free") }
        self.port = port
        folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "nginx.conf")
        try Data(Self.configuration(folder.path, port, servers).utf8).write(to: file)
        program = try RunningProgram(Self.program, ["-p", folder.path, "-c", file.path], environment: [:])
        guard Patience().wait(until: { LoopbackPort.listens(port, at: "127.0.0.1") }) else {
            throw Failure(description: "nginx does not listen: \(program.text)")
        }
    }

    deinit {
        program.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func configuration(_ folder: String, _ port: UInt16, _ servers: [Int]) -> String {
        let all = servers.enumerated().map { index, server in
            "server 127.0.0.1:\(server) max_fails=1 fail_timeout=1s\(index == 0 ? "" : " backup");"
        }
        return """
            load_module /usr/lib/nginx/modules/ngx_stream_module.so;
            daemon off;
            master_process off;
            pid \(folder)/nginx.pid;
            error_log stderr error;
            events { worker_connections 512; }
            stream {
                upstream instances { \(all.joined(separator: " ")) }
                server {
                    listen 127.0.0.1:\(port);
                    proxy_connect_timeout 1s;
                    proxy_pass instances;
                }
            }
            """
    }
}
