package dev.touchstone.builds.agent;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.touchstone.builds.agent.isolation.Isolation;
import dev.touchstone.builds.agent.isolation.IsolationException;
import dev.touchstone.builds.agent.isolation.IsolationOptions;
import java.io.IOException;
import java.util.List;

/** The sandbox of this machine, without which some tests cannot run. */
public final class Sandboxes {
    private Sandboxes() {}

    /** Skips the calling test where there is no sandbox. */
    public static void assume() throws IOException {
        try {
            Isolation.of(IsolationOptions.sandbox(), System.getenv(), List.of());
        } catch (IsolationException e) {
            abort("no sandbox: apt-get install bubblewrap: " + e.getMessage());
        }
    }
}
