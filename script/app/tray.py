"""A stand-in of a desktop's tray (StatusNotifierWatcher)."""
import queue
import threading

from gi.repository import Gio, GLib

INTERFACE = """
<node><interface name="org.kde.StatusNotifierWatcher">
  <method name="RegisterStatusNotifierItem"><arg type="s" direction="in"/></method>
</interface></node>
"""
WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
PATH = "/StatusNotifierItem"


class Tray:
    """The items that programs have registered, by their names on the bus."""

    def __init__(self):
        self.items = queue.Queue()
        ready = threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait(20)

    def _run(self, ready):
        context = GLib.MainContext()
        context.push_thread_default()
        address = Gio.dbus_address_get_for_bus_sync(Gio.BusType.SESSION)
        flags = Gio.DBusConnectionFlags
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION)
        interface = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
        self.bus.register_object("/StatusNotifierWatcher", interface, self._call, None, None)
        Gio.bus_own_name_on_connection(self.bus, WATCHER, Gio.BusNameOwnerFlags.NONE, lambda *_: ready.set(), None)
        GLib.MainLoop(context).run()

    def _call(self, bus, sender, path, interface, method, arguments, call):
        self.items.put(arguments.unpack()[0])
        call.return_value(None)

    def see(self, patience):
        return self.items.get(timeout=patience)

    def _ask(self, name, path, interface, method, arguments):
        return self.bus.call_sync(name, path, interface, method, arguments, None, 0, 20000).unpack()

    def property(self, item, name):
        return self._ask(item, PATH, "org.freedesktop.DBus.Properties", "Get", GLib.Variant("(ss)", (ITEM, name)))[0]

    def activate(self, item):
        self._ask(item, PATH, ITEM, "Activate", GLib.Variant("(ii)", (0, 0)))

    def is_gone(self, item):
        return not self._ask(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameHasOwner",
            GLib.Variant("(s)", (item,)))[0]
