package org.heliograph.phone;

import java.io.IOException;

/** Starts apps. */
final class Apps {
    private Apps() {}

    /** Starts an app's main activity on a display. */
    static void start(final String name, final int display, final Reports reports) {
        new Thread("app") {
            @Override
            public void run() {
                try {
                    String[] lines = Shell.run("cmd", "package", "resolve-activity", "--brief", name).split("\n");
                    String activity = lines[lines.length - 1].trim();
                    if (!activity.contains("/")) throw new IOException("there is no app " + name);
                    Shell.run("am", "start", "--display", String.valueOf(display), "-n", activity);
                } catch (Throwable error) {
                    reports.failed(Reports.START_APP, error);
                }
            }
        }.start();
    }
}
