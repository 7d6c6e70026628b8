package dev.touchstone.builds.agent.isolation;

import java.nio.file.Path;
import java.util.List;

/**
 * An operator's settings for the isolation of scripts. Immutable.
 *
 * @param mode the kind of isolation
 * @param network whether sandboxed scripts have the machine's network
 * @param readable absolute paths that sandboxed scripts can read, beside the system's
 * @param writable absolute paths that sandboxed scripts can read and write, beside their workspace
 * @param hidden files that no sandboxed script may see: tokens, keys, passwords
 */
public record IsolationOptions(
        IsolationMode mode, boolean network, List<Path> readable, List<Path> writable, List<Path> hidden) {
    /** No isolation. */
    public static final IsolationOptions NONE =
            new IsolationOptions(IsolationMode.NONE, true, List.of(), List.of(), List.of());

    /** Copies the lists. */
    public IsolationOptions {
        readable = List.copyOf(readable);
        writable = List.copyOf(writable);
        hidden = List.copyOf(hidden);
    }

    /** Returns the sandbox with the machine's network, and nothing in it beside what every script needs. */
    public static IsolationOptions sandbox() {
        return NONE.with(IsolationMode.SANDBOX);
    }

    /** Returns these options with another mode. */
    public IsolationOptions with(IsolationMode other) {
        return new IsolationOptions(other, network, readable, writable, hidden);
    }

    /** Returns these options with other files that no sandboxed script may see. */
    public IsolationOptions hiding(List<Path> files) {
        return new IsolationOptions(mode, network, readable, writable, files);
    }
}
