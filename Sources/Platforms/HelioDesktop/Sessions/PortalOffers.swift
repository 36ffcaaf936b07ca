package import HelioCore
internal import HelioDBusWire

/// The interfaces and versions that the desktop's portal offers.
package struct PortalOffers: Sendable {
    /// The version of ScreenCast.
    package var screenCast = 0
    /// The version of RemoteDesktop; 0 if there is none.
    package var remoteDesktop = 0
    /// The version of Clipboard; 0 if there is none.
    package var clipboard = 0
    /// The ways in which the pointer can come, as bits: 1 not at all, 2 in the picture, 4 beside it.
    package var cursorModes = 0
    /// The devices that can be driven, as bits: 1 keyboard, 2 pointer, 4 touch screen.
    package var devices = 0

    /// The portal's name on the bus.
    package static let service = PortalRequest.service

    /// True if input can be asked for.
    package var drives: Bool { remoteDesktop > 0 && devices & 3 != 0 }

    /// Asks the portal. Throws `captureFailed` if there is none, or it shares no screens.
    package init(_ bus: BusConnection) throws(HelioError) {
        func number(_ name: String, _ interface: String) throws(BusFailure) -> Int {
            try bus.property(
                name, of: "org.freedesktop.portal." + interface, at: PortalRequest.object, PortalRequest.service
            )
            .number ?? 0
        }
        do throws(BusFailure) {
            screenCast = try number("version", "ScreenCast")
            cursorModes = (try? number("AvailableCursorModes", "ScreenCast")) ?? 2
            remoteDesktop = (try? number("version", "RemoteDesktop")) ?? 0
            clipboard = remoteDesktop == 0 ? 0 : (try? number("version", "Clipboard")) ?? 0
            devices = remoteDesktop == 0 ? 0 : (try? number("AvailableDeviceTypes", "RemoteDesktop")) ?? 0
        } catch {
            // An interface that nobody implements is said to have no such property.
            let isThere = bus.offers(PortalRequest.service)
            throw HelioError(
                .captureFailed,
                isThere
                    ? "The desktop's portal (xdg-desktop-portal) shares no screens here: install the part of it for "
                        + "this desktop, such as xdg-desktop-portal-gnome, -kde or -wlr."
                    : "There is no desktop portal in this session: install xdg-desktop-portal, and the part of it for "
                        + "this desktop.")
        }
    }
}
