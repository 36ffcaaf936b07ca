/// The state of sharing, for a page that arranges its parts by itself; ``HostMenuModel/screen`` shows the same as one
/// list. Its controls trigger the actions of ``HostMenuModel``.
public struct HostPage: Hashable, Sendable {
    /// A viewer that watches now.
    public struct Viewer: Hashable, Sendable {
        /// The number for the actions `disconnect` and `viewerControl`.
        public var number: Int
        /// The viewer's name; its number if it has none.
        public var name: String
        /// True if the viewer drives now.
        public var drives: Bool
        /// True if the viewer is permitted to drive; `nil` if that can't be changed.
        public var mayDrive: Bool?
    }

    /// A monitor that can be shared.
    public struct Monitor: Hashable, Sendable {
        /// The identifier for the action `monitor`.
        public var id: String
        /// The monitor's name.
        public var label: Phrase
        /// The monitor's size.
        public var detail: Phrase
        /// True for the shared monitor.
        public var isChosen: Bool
    }

    /// The state of sharing in a few words.
    public var title: Phrase
    /// True while sharing starts or runs; the page's switch is then on.
    public var isOn: Bool
    /// True while sharing starts.
    public var isStarting: Bool
    /// The reason why sharing has failed, or an obstacle to it; `nil` if there is none.
    public var failure: Phrase?
    /// The code that admits the next viewer; `nil` while nothing is shared.
    public var code: String?
    /// The links that admit the next viewer; `nil` while nothing is shared, and until they are known.
    public var links: SharingLinks?
    /// The question to the user, as a warning, digits and buttons; empty if there is none.
    public var question: [ScreenElement<HostMenuModel.Action, NoField>]
    /// The viewers, in the order in which they joined.
    public var viewers: [Viewer]
    /// True if viewers may drive; false if the user has taken control back.
    public var viewersMayDrive: Bool
    /// The monitors to choose from; empty if there is only one.
    public var monitors: [Monitor]
    /// The latest sentence about sharing; `nil` if there was none.
    public var note: String?
    /// True if the app starts at login.
    public var startsAtLogin: Bool
    /// The reason why that could not be changed.
    public var loginFailure: Phrase?
}

extension HostMenuModel {
    /// The state as a page has to show it now.
    public var page: HostPage {
        var code: String?
        var failure: Phrase?
        switch state {
        case .sharing(let shown): code = shown
        case .failed(let reason): failure = Phrase(.menuFailed, reason)
        case .noScreen: failure = Phrase(.menuNoScreen)
        case .stopped, .starting: break
        }
        return HostPage(
            title: screen.title, isOn: isSharing || state == .starting, isStarting: state == .starting,
            failure: failure, code: code, links: links, question: questionElements,
            viewers: watchers.map {
                .init(
                    number: $0.number, name: $0.name.isEmpty ? "\($0.number)" : $0.name, drives: $0.drives,
                    mayDrive: $0.mayDrive)
            }, viewersMayDrive: viewersMayDrive,
            monitors: monitors.count < 2
                ? []
                : monitors.map { .init(id: $0.id, label: $0.label, detail: $0.detail, isChosen: $0.id == selected) },
            note: note, startsAtLogin: isAtLogin, loginFailure: loginFailure.map { Phrase(.menuLoginFailed, $0) })
    }
}
