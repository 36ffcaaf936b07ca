/// An event of a bundle, for logs and the person's status line.
package enum LinkEvent: Hashable, Sendable {
    /// The link answers: it can be used.
    case up(LinkID)
    /// The link no longer answers.
    case silent(LinkID)
    /// The links in use have changed; `nil` if no link can be used.
    case active(media: LinkID?, control: LinkID?)
    /// The stream is connected to the peer's.
    case streamConnected
}

/// The state of a link.
package enum LinkState: String, Hashable, Sendable {
    /// The link has not yet answered twice.
    case probing
    case up
    /// The link was up and no longer answers.
    case silent
}
