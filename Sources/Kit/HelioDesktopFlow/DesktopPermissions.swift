internal import HelioHostFlow

/// The permissions of a Linux desktop. X11 asks for none, and Wayland's desktops ask by themselves when sharing starts,
/// so the app treats all as given; a refusal is an error of the start.
@MainActor
package final class DesktopPermissions: HostPermissions {
    package init() {}

    package var mayRecord: Bool { true }
    package var mayAct: Bool { true }
    package func askToRecord() {}
    package func askToAct() {}
    package func openSettings(toRecord: Bool) {}
}
