internal import NIOHTTP1

/// The headers of every answer. They restrict the page to the browser features that it needs.
enum PageHeaders {
    /// - Parameters:
    ///   - source: the origin that the page may connect to besides its own, as a Content-Security-Policy source.
    ///   - isTrustworthy: true if the page is requested by HTTPS or from the browser's own machine. For other pages
    ///     browsers ignore `Cross-Origin-Opener-Policy`, and log a warning about it.
    ///   - scripts: the policy's sources for scripts inside the answer itself.
    ///   - styles: the policy's sources for styles inside the answer itself.
    static func all(
        connectsTo source: String?, isTrustworthy: Bool, scripts: [String] = [], styles: [String] = []
    ) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "Date": HTTPDate.now,
            "Content-Security-Policy": policy(source, scripts, styles),
            "Permissions-Policy": permissions,
            // Browsers revalidate each time, and get a 304; so a new version of the host shows its own page at once.
            "Cache-Control": "no-cache",
            "Cross-Origin-Resource-Policy": "same-origin",
            // A referrer would reveal the address of a host to other sites.
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
        ]
        if isTrustworthy { headers.add(name: "Cross-Origin-Opener-Policy", value: "same-origin") }
        return headers
    }

    private static func policy(_ source: String?, _ scripts: [String], _ styles: [String]) -> String {
        let scripts = (["'self'"] + scripts).joined(separator: " ")
        let styles = (["'self'"] + styles).joined(separator: " ")
        return "default-src 'none'; script-src \(scripts); style-src \(styles); img-src 'self' data: blob:; "
            + "media-src 'self' blob:; connect-src 'self'\(source.map { " " + $0 } ?? ""); manifest-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    private static let permissions =
        "autoplay=(self), fullscreen=(self), screen-wake-lock=(self), camera=(), "
        + "display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()"
}
