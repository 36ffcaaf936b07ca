/// The links that admit the next viewer of this machine. They contain a secret, which descriptions leave out.
public struct SharingLinks: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The link for Heliograph's own viewer.
    public var link: String
    /// The link for a browser on this network; `nil` if browsers are not served.
    public var web: String?
    /// The link for a browser on any network; `nil` without a rendezvous server.
    public var webFromAnywhere: String?

    /// Makes links, by default without any for browsers.
    public init(link: String, web: String? = nil, webFromAnywhere: String? = nil) {
        self.link = link
        self.web = web
        self.webFromAnywhere = webFromAnywhere
    }

    /// The link for a QR code: the one for a browser with the longest reach, because a phone's camera opens it in a
    /// browser.
    public var forPhone: String { webFromAnywhere ?? web ?? link }
    /// A text without the secret.
    public var description: String { "links to this machine" }
    /// A mirror without children, so that a dump reveals no secret either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
