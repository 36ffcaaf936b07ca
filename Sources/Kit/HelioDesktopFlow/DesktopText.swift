/// The texts of the desktop app's own parts: names of pages, buttons and notifications. Screens' texts are `AppText`.
package enum DesktopText: CaseIterable, Hashable, Sendable {
    case connect
    case share
    case connectHint
    case emptyTitle
    case copy
    case copied
    case link
    case browserLink
    case code
    case codeHint
    case letIn
    case scan
    case scanHint
    case linkHint
    case preferences
    case viewing
    case sharing
    case choices
    case watchers
    case mayControl
    case inControl
    case watchesOnly
    case disconnect
    case screen
    case menu
    case about
    case quit
    case closeTitle
    case closeText
    case closeConfirm
    case somebodyCame
    case somebodyLeft
    case somebodyAsks
    case stoppedSharing
    case stillSharing
    case stillSharingText
    case notSharingText
    case sharingText
    case windowOpen
    case windowText
    case viewerGone

    /// The text in English and in German; `%1$@` stands for an argument.
    var texts: (english: String, german: String) { frame ?? sharingPage ?? news }

    private var frame: (String, String)? {
        switch self {
        case .connect: ("Connect", "Verbinden")
        case .share: ("Share", "Teilen")
        case .connectHint:
            (
                "See another machine's screen here, and control it.",
                "Den Bildschirm eines anderen Rechners sehen und steuern."
            )
        case .emptyTitle: ("No machines yet", "Noch keine Rechner")
        case .preferences: ("Preferences", "Einstellungen")
        case .viewing: ("Watching", "Zusehen")
        case .choices: ("Choices", "Einstellungen")
        case .menu: ("Menu", "Menü")
        case .about: ("About Heliograph", "Über Heliograph")
        case .quit: ("Quit", "Beenden")
        case .closeTitle: ("Stop sharing?", "Nicht mehr teilen?")
        case .closeText:
            (
                "This machine is shared. Closing the window ends that, and everybody who watches is disconnected.",
                "Dieser Rechner ist geteilt. Mit dem Fenster endet das, und alle, die zusehen, werden getrennt."
            )
        case .closeConfirm: ("Stop and close", "Beenden und schließen")
        case .windowOpen: ("The window is open", "Das Fenster ist offen")
        case .windowText:
            (
                "Ctrl+Alt+Shift+H shows its keys there, Ctrl+Alt+Shift+Q ends it.",
                "Strg+Alt+Umschalt+H zeigt dort seine Tasten, Strg+Alt+Umschalt+Q beendet es."
            )
        case .viewerGone:
            (
                "The viewer's window has ended without a word. Try again.",
                "Das Fenster des Betrachters hat ohne ein Wort geendet. Versuchen Sie es noch einmal."
            )
        default: nil
        }
    }

    private var sharingPage: (String, String)? {
        switch self {
        case .sharing: ("Sharing", "Teilen")
        case .copy: ("Copy %1$@", "%1$@ kopieren")
        case .copied: ("%1$@ copied", "%1$@ kopiert")
        case .link: ("Link", "Link")
        case .browserLink: ("Link for a browser", "Link für einen Browser")
        case .code: ("Code", "Code")
        case .codeHint: ("With this machine's address", "Mit der Adresse dieses Rechners")
        case .scan: ("Scan with a phone", "Mit dem Telefon scannen")
        case .scanHint:
            (
                "A phone's camera opens the screen in a browser.",
                "Die Kamera eines Telefons öffnet den Bildschirm im Browser."
            )
        case .letIn: ("Let somebody in", "Jemanden einlassen")
        case .linkHint:
            (
                "Each link lets one viewer in; then there is a new one.",
                "Jeder Link lässt eine Person ein; danach gibt es einen neuen."
            )
        case .watchers: ("Who watches", "Wer zusieht")
        case .mayControl: ("May control", "Darf steuern")
        case .inControl: ("In control", "Steuert")
        case .watchesOnly: ("Watches only", "Sieht nur zu")
        case .disconnect: ("Disconnect", "Trennen")
        case .screen: ("Screen", "Bildschirm")
        case .notSharingText:
            ("Nobody can see this screen.", "Niemand kann diesen Bildschirm sehen.")
        case .sharingText:
            ("Whoever has the link can watch.", "Wer den Link hat, kann zusehen.")
        default: nil
        }
    }

    private var news: (String, String) {
        switch self {
        case .somebodyCame: ("%1$@ is watching", "%1$@ sieht zu")
        case .somebodyLeft: ("%1$@ no longer watches", "%1$@ sieht nicht mehr zu")
        case .somebodyAsks: ("Heliograph asks", "Heliograph fragt")
        case .stillSharing: ("This machine is still shared", "Dieser Rechner ist weiterhin geteilt")
        case .stillSharingText:
            (
                "The icon in the tray opens Heliograph.",
                "Das Symbol in der Leiste öffnet Heliograph."
            )
        case .stoppedSharing: ("Sharing has ended", "Das Teilen ist beendet")
        default: ("", "")
        }
    }
}
