internal import ArgumentParser
internal import Heliograph

/// The options of `heliograph share` for the web page and browsers.
struct WebArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "TCP port of the page for browsers, 0 for any free one; 'off': none is served. Default: 8080, or a free one.",
            valueName: "port"))
    var web: String?

    @Option(
        help: ArgumentHelp(
            "UDP port of pictures and input in browsers, 0 for any free one. Default: the page's number, or a free one.",
            valueName: "port"))
    var webPortUdp: Int?

    @Option(
        help: ArgumentHelp(
            "Let browsers open the page by this name too, such as a VPN's or a proxy's; *.NAME for all below it. Repeatable.",
            valueName: "name"))
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "Believe this proxy's X-Forwarded-Proto, -Host and -For: the IP address that it connects from. Repeatable.",
            valueName: "address"))
    var proxy: [String] = []

    @Flag(help: "Serve the page by HTTPS alone, with this installation's own certificate, which browsers warn of.")
    var webTls = false

    @Option(help: "Write the link for browsers to this file too, readable by you alone.", completion: .file())
    var webLinkFile: String?

    @OptionGroup(title: "Browsers") var servers: ICEServerArguments

    private var isOff: Bool { web?.lowercased() == "off" }

    func validate() throws {
        if let web, !isOff, !(Int(web).map { (0...65535).contains($0) } ?? false) {
            throw ValidationError("--web \(web): give a port from 0 to 65535, or off.")
        }
        if let webPortUdp, !(0...65535).contains(webPortUdp) {
            throw ValidationError("--web-port-udp \(webPortUdp): give a port from 0 to 65535.")
        }
        if isOff, webPortUdp != nil || !allowHost.isEmpty || !proxy.isEmpty {
            throw ValidationError("--web off: then leave out what else is for browsers.")
        }
        if isOff, webTls || webLinkFile != nil || !servers.iceServer.isEmpty {
            throw ValidationError("--web off: then leave out what else is for browsers.")
        }
    }

    /// The options of the endpoint for browsers; `nil` if it is off.
    func options() throws -> WebOptions? {
        let secret = try servers.takeSecret()
        if isOff { return nil }
        var options = WebOptions()
        options.port = web.flatMap { Int($0) }
        options.usesTLS = webTls
        options.mediaPort = webPortUdp
        options.allowedHosts = allowHost
        options.proxies = proxy
        options.iceServers = try servers.servers().map {
            ICEServer($0.url, username: $0.username, password: $0.password)
        }
        options.turnSecret = secret ?? ""
        return options
    }
}
