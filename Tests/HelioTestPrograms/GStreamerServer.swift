import Foundation
package import HelioCore

/// GStreamer's `gst-rtsp-server`, a third-party RTSP server; ends with this object.
package final class GStreamerServer {
    package enum Source {
        /// GStreamer's test picture, encoded by x264.
        case bars
        /// The stream that another program pushes to `/push` (ANNOUNCE and RECORD).
        case relay
        /// The pushed stream, decoded and written to this file with 4 bytes a pixel.
        case sink(String)
        /// A custom pipeline with `pay0` and `pay1`, or with `depay0` and `depay1` to receive a pushed stream.
        case pipeline(String)
    }

    package enum Transport: String {
        case all
        /// The server rejects UDP.
        case tcp
        /// The server accepts UDP, but datagrams are lost, as behind a firewall.
        case lostUDP = "lost-udp"
    }

    package static let size = PixelSize(width: 640, height: 480)

    package let port: UInt16
    /// The certificate's SHA-256 fingerprint in openssl's notation; `nil` without TLS.
    package let fingerprint: String?
    private let isSecure: Bool
    private let server: RunningProgram
    private var camera: RunningProgram?

    /// - Parameters:
    ///   - user: the credentials, required by Digest (MD5, the only algorithm it has).
    ///   - port: 0 for a free one.
    package init(
        _ source: Source, codec: VideoCodec = .h264, transport: Transport = .all,
        user: (name: String, password: String)? = nil, port: UInt16 = 0, isSecure: Bool = false
    ) throws {
        let certificate = FileManager.default.temporaryDirectory.appendingPathComponent(
            "heliograph-\(UUID().uuidString).pem")
        defer { try? FileManager.default.removeItem(at: certificate) }
        fingerprint = isSecure ? try Self.makeCertificate(certificate.path) : nil
        self.isSecure = isSecure
        guard let relay = LoopbackPort.find() else { throw RunningProgram.Ended(description: "no port is free") }
        server = try RunningProgram(
            "/usr/bin/python3",
            [
                "-c", Self.script, Self.launch(source, codec), transport.rawValue, user?.name ?? "",
                user?.password ?? "", "\(port)", isSecure ? certificate.path : "", "\(relay)",
            ], environment: ["GST_DEBUG": "0"])
        let line = try server.line(with: "port ")
        guard let port = UInt16(line.dropFirst("port ".count)) else {
            throw RunningProgram.Ended(description: "no port in: \(line)")
        }
        self.port = port
    }

    deinit {
        camera?.kill()
        server.kill()
    }

    /// The stream's address, including credentials if given.
    package func address(_ credentials: String? = nil) -> String {
        "\(isSecure ? "rtsps" : "rtsp")://\(credentials.map { $0 + "@" } ?? "")127.0.0.1:\(port)/test"
    }

    /// The address to which publishers push.
    package var pushAddress: String { "\(isSecure ? "rtsps" : "rtsp")://127.0.0.1:\(port)/push" }

    /// Makes a self-signed certificate for this machine's name and address; returns its fingerprint.
    private static func makeCertificate(_ path: String) throws -> String {
        let make = try RunningProgram(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path,
                "-out", path + ".crt", "-days", "2", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost,IP:127.0.0.1",
            ], environment: [:])
        defer { try? FileManager.default.removeItem(atPath: path + ".crt") }
        guard make.waitUntilExit() == 0,
            let key = FileManager.default.contents(atPath: path),
            let made = FileManager.default.contents(atPath: path + ".crt"),
            FileManager.default.createFile(atPath: path, contents: key + made)
        else { throw RunningProgram.Ended(description: "no certificate: \(make.text)") }
        let tell = try RunningProgram(
            "openssl", ["x509", "-noout", "-fingerprint", "-sha256", "-in", path], environment: [:])
        let line = try tell.line(with: "ingerprint=")
        return line.split(separator: "=").last.map { String($0) } ?? ""
    }

    /// Starts FFmpeg as a camera: a moving picture, encoded with B-frames, pushed to the server.
    package func startCamera() throws {
        camera = try RunningProgram(
            "ffmpeg",
            [
                "-hide_banner", "-loglevel", "error", "-nostats", "-re", "-f", "lavfi", "-i",
                "color=c=0x2060C0:size=\(Self.size):rate=25[a];color=c=white:size=40x40:rate=25[b];"
                    + "[a][b]overlay=x=mod(n*8\\,600):y=200",
                "-c:v", "libx264", "-preset", "veryfast", "-bf", "2", "-pix_fmt", "yuv420p", "-g", "25",
                "-color_primaries", "smpte170m", "-color_trc", "bt709", "-colorspace", "smpte170m", "-f", "rtsp",
                "rtsp://127.0.0.1:\(port)/push",
            ], environment: [:])
        try server.line(with: "recording")
    }

    package func kill() { server.kill() }

    private static func launch(_ source: Source, _ codec: VideoCodec) -> String {
        switch source {
        case .relay: return "relay"
        case .sink(let path):
            let name = codec.rawValue
            return "( rtp\(name)depay name=depay0 ! \(name)parse ! avdec_\(name) ! videoconvert "
                + "! video/x-raw,format=BGRx ! filesink location=\(path) sync=false async=false )"
        case .pipeline(let text): return text
        case .bars: return bars(codec)
        }
    }

    private static func bars(_ codec: VideoCodec) -> String {
        let source =
            "videotestsrc is-live=true pattern=smpte75 "
            + "! video/x-raw,format=I420,width=640,height=480,framerate=25/1"
        let coder =
            codec == .h264
            ? "x264enc tune=zerolatency key-int-max=25 bitrate=8000 ! rtph264pay"
            : "x265enc tune=zerolatency speed-preset=ultrafast key-int-max=25 bitrate=8000 ! rtph265pay"
        return "( \(source) ! \(coder) name=pay0 pt=96 )"
    }

    /// The server script; Debian's bindings require Debian's Python.
    private static let script = """
        import re, socket, sys, threading, gi
        gi.require_version("Gst", "1.0")
        gi.require_version("GstRtsp", "1.0")
        gi.require_version("GstRtspServer", "1.0")
        from gi.repository import Gio, GLib, Gst, GstRtsp, GstRtspServer
        Gst.init(None)
        launch, protocols, user, password, service, certificate, relay = sys.argv[1:8]
        server = GstRtspServer.RTSPServer()
        server.set_address("127.0.0.1")
        server.set_service(service)

        def mount(path, launch, record=False):
            made = GstRtspServer.RTSPMediaFactory()
            made.set_launch(launch)
            made.set_shared(True)
            if record:
                made.set_transport_mode(GstRtspServer.RTSPTransportMode.RECORD)
            if protocols == "tcp":
                made.set_protocols(GstRtsp.RTSPLowerTrans.TCP)
            if user or certificate:
                made.add_role_from_structure(Gst.Structure.new_from_string(
                    "viewer, media.factory.access=true, media.factory.construct=true"))
            server.get_mount_points().add_factory(path, made)

        if user:
            auth = GstRtspServer.RTSPAuth()
            auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
            token = GstRtspServer.RTSPToken()
            token.set_string("media.factory.role", "viewer")
            auth.add_digest(user, password, token)
            server.set_auth(auth)
        if certificate:
            auth = server.get_auth() or GstRtspServer.RTSPAuth()
            auth.set_tls_certificate(Gio.TlsCertificate.new_from_file(certificate))
            if not user:
                token = GstRtspServer.RTSPToken()
                token.set_string("media.factory.role", "viewer")
                auth.set_default_token(token)
            server.set_auth(auth)
        if launch == "relay":
            mount("/push", "( rtph264depay name=depay0 ! h264parse ! rtph264pay pt=96 config-interval=-1 "
                f"! udpsink host=127.0.0.1 port={relay} sync=false async=false )", True)
            mount("/test", f"( udpsrc address=127.0.0.1 port={relay} buffer-size=4000000 caps="
                "application/x-rtp,media=video,clock-rate=90000,encoding-name=H264,payload=96 "
                "! rtph264depay ! h264parse ! rtph264pay name=pay0 pt=96 )")
        elif "depay0" in launch:
            mount("/push", launch, True)
        else:
            mount("/test", launch)
        def connected(server, client):
            client.connect("record-request", lambda *_: print("recording", flush=True))
        server.connect("client-connected", connected)
        server.attach(None)
        port = server.get_bound_port()

        # In between: has the server send its datagrams to where nobody listens.
        def pump(source, target, is_request):
            while data := source.recv(65536):
                target.sendall(re.sub(rb"client_port=[0-9]+-[0-9]+", b"client_port=9-10", data) if is_request else data)
            for end in (source, target):
                try: end.shutdown(socket.SHUT_RDWR)
                except OSError: pass

        def misdirect(front, port):
            while True:
                near, _ = front.accept()
                far = socket.create_connection(("127.0.0.1", port))
                for ends in ((near, far, True), (far, near, False)):
                    threading.Thread(target=pump, args=ends, daemon=True).start()

        if protocols == "lost-udp":
            front = socket.create_server(("127.0.0.1", 0))
            threading.Thread(target=misdirect, args=(front, port), daemon=True).start()
            port = front.getsockname()[1]
        print("port", port, flush=True)
        GLib.MainLoop().run()
        """
}
