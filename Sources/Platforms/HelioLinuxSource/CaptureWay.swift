internal import HelioCore
internal import HelioWaylandWire

/// The ways to capture a screen on Linux, in order of preference. Whether a session allows each is decided by the
/// evidence that `SessionProbe` gathers.
enum CaptureWay: String, CaseIterable {
    /// The root window of an X server.
    case x11
    /// The protocols by which wlroots' compositors and others let programs copy outputs: sway, Hyprland, labwc, COSMIC.
    case wlr
    /// Mutter's D-Bus interface and PipeWire.
    case gnome
    /// KDE's part of the desktop portal, and PipeWire.
    case kde
    /// The desktop portal, which asks the person, and PipeWire.
    case portal

    /// Returns whether this way can be used, with a reason for the user.
    func description(_ evidence: SessionEvidence) -> CaptureDescription {
        let (isUsable, reason) =
            switch self {
            case .x11: Self.x11(evidence)
            case .wlr: wlr(evidence)
            case .gnome: gnome(evidence)
            case .kde, .portal: portal(evidence)
            }
        return CaptureDescription(name: rawValue, isUsable: isUsable, reason: reason)
    }

    private func wlr(_ evidence: SessionEvidence) -> (Bool, String) {
        if evidence.isWayland, evidence.hasScreencopy { return (true, "the compositor at \(evidence.compositor)") }
        if let absence = absence(evidence) { return (false, absence) }
        return (
            false,
            "the compositor offers neither \(WaylandInterface.screencopyManager.rawValue) nor "
                + WaylandInterface.copyManager.rawValue
        )
    }

    private func gnome(_ evidence: SessionEvidence) -> (Bool, String) {
        if evidence.hasMutter { return (true, "GNOME's Mutter, which asks nobody") }
        return (false, absence(evidence) ?? "no Mutter offers its screen on the session's D-Bus")
    }

    private func portal(_ evidence: SessionEvidence) -> (Bool, String) {
        if self == .kde, evidence.desktop != .kde { return (false, absence(evidence) ?? "this desktop is not KDE") }
        switch evidence.portal {
        case .whole: return (true, "the desktop's portal, which asks on its screen")
        case .viewOnly:
            return (true, "the desktop's portal, which asks on its screen, and takes no input: to watch only")
        case .missing(let reason): return (false, absence(evidence) ?? reason)
        case .none: return (false, absence(evidence) ?? "the desktop's portal does not answer")
        }
    }

    /// Returns a note for the user on how much of a Wayland session the X server shows, without a full stop; `nil` in
    /// other sessions.
    static func note(_ evidence: SessionEvidence) -> String? {
        switch evidence.server {
        case .own(let display) where evidence.isWayland:
            "This is a Wayland session: the X display \(display) is shared, not the session's own screen"
        case .xwayland(let display):
            "This is a Wayland session: of its screen the X display \(display) has only the windows of X programs, the "
                + "rest is black. To share all of it, \(wayOut(evidence))"
        default: nil
        }
    }

    /// Returns the error for a Wayland session whose screen can't be captured; `nil` if the X server has a screen of
    /// its own, the user named its display, or the session does not use Wayland.
    static func refusal(_ evidence: SessionEvidence) -> HelioError? {
        guard evidence.isWayland, !evidence.isServerNamed else { return nil }
        let remedy: HelioError.Remedy?
        switch evidence.server {
        case .own: return nil
        case .xwayland(let display): remedy = .nameDisplay(display)
        case .none: remedy = .chooseDisplay
        case .unreachable: remedy = nil
        }
        if evidence.hasScreencopy {
            return HelioError(
                .captureFailed,
                "This is a Wayland session: its screen is captured by its compositor (wlr), not by an X server.",
                remedy: remedy)
        }
        if evidence.hasMutter || evidence.portal.isUsable {
            let way = evidence.hasMutter ? Self.gnome : evidence.desktop == .kde ? Self.kde : Self.portal
            return HelioError(
                .captureFailed,
                "This is a Wayland session: its screen is captured by its desktop (\(way.rawValue)), not by an X "
                    + "server.",
                remedy: remedy)
        }
        return HelioError(
            .captureFailed, "This is a Wayland session, whose screen can't be captured here: \(wayOut(evidence)).",
            remedy: remedy)
    }

    /// Returns the advice on how to share a whole desktop, as a part of a sentence.
    private static func wayOut(_ evidence: SessionEvidence) -> String {
        let nested = "share a desktop in an X server of its own, such as Xephyr"
        if let session = evidence.x11Session {
            return "log out and choose \"\(session)\", a session on X11, at the log-in screen, or \(nested)"
        }
        let others =
            switch evidence.desktop {
            case .gnome: "GNOME on Xorg before GNOME 50, or Xfce"
            case .kde: "Plasma (X11) before Plasma 6.8, or Xfce"
            case .other: "Xfce"
            }
        return "install a desktop with a session on X11 (\(others)) and log in to it, or \(nested)"
    }

    private static func x11(_ evidence: SessionEvidence) -> (Bool, String) {
        switch evidence.server {
        case .none: (false, "no X display is named")
        case .unreachable(let display): (false, "the X display \(display) can't be opened")
        case .own(let display):
            (true, "the X display \(display)" + (evidence.isWayland ? ", not the Wayland session's own screen" : ""))
        case .xwayland(let display):
            (
                evidence.isServerNamed,
                "the X display \(display) is Xwayland, which has only the windows of X programs"
                    + (evidence.isServerNamed ? "" : ": it is shared if it is named")
            )
        }
    }

    /// Returns the reason why this session does not offer this way of capturing a Wayland screen, whether or not the
    /// way is implemented; `nil` if the session offers it.
    private func absence(_ evidence: SessionEvidence) -> String? {
        guard evidence.isWayland else { return "this is no Wayland session" }
        guard evidence.compositorAnswers else {
            return evidence.compositor.isEmpty
                ? "WAYLAND_DISPLAY names no compositor" : "no compositor answers at \(evidence.compositor)"
        }
        switch (self, evidence.desktop) {
        case (.wlr, .gnome): return "GNOME does not offer it"
        case (.wlr, .kde): return "KDE does not offer it"
        case (.gnome, .kde), (.gnome, .other): return "this desktop is not GNOME"
        case (.kde, .gnome), (.kde, .other): return "this desktop is not KDE"
        default: return nil
        }
    }
}
