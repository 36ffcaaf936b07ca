"""A stand-in of a desktop's notifications (Desktop Notifications Specification 1.2), which answers by their buttons."""
import queue
import threading

from gi.repository import Gio, GLib

INTERFACE = """
<node><interface name="org.freedesktop.Notifications">
  <method name="Notify">
    <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="s" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="as" direction="in"/>
    <arg type="a{sv}" direction="in"/><arg type="i" direction="in"/><arg type="u" direction="out"/>
  </method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="GetServerInformation">
    <arg type="s" direction="out"/><arg type="s" direction="out"/><arg type="s" direction="out"/>
    <arg type="s" direction="out"/>
  </method>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
</interface></node>
"""
NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"


class Notifications:
    """Each notification as its number, title, text and buttons, in the order in which they came."""

    def __init__(self):
        self.shown = queue.Queue()
        self.count = 0
        ready = threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait(20)

    def _run(self, ready):
        context = GLib.MainContext()
        context.push_thread_default()
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        interface = Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0]
        self.bus.register_object(PATH, interface, self._call, None, None)
        Gio.bus_own_name_on_connection(self.bus, NAME, Gio.BusNameOwnerFlags.NONE, lambda *_: ready.set(), None)
        GLib.MainLoop(context).run()

    def _call(self, bus, sender, path, interface, method, arguments, call):
        if method == "Notify":
            _, _, _, title, text, actions, _, _ = arguments.unpack()
            self.count += 1
            # The actions alternate with their texts.
            self.shown.put((self.count, title, text, dict(zip(actions[1::2], actions[::2]))))
            call.return_value(GLib.Variant("(u)", (self.count,)))
        elif method == "GetCapabilities":
            call.return_value(GLib.Variant("(as)", (["body", "actions"],)))
        elif method == "GetServerInformation":
            call.return_value(GLib.Variant("(ssss)", ("stand-in", "", "1", "1.2")))
        else:
            call.return_value(None)

    def see(self, part, patience):
        """Waits for the notification that has `part` in its title or text."""
        while True:
            shown = self.shown.get(timeout=patience)
            if part in shown[1] or part in shown[2]:
                return shown

    def press(self, shown, button):
        self.bus.emit_signal(None, PATH, NAME, "ActionInvoked", GLib.Variant("(us)", (shown[0], shown[3][button])))
