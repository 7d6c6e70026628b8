package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.handshake.DistFlags;

/** The capabilities that a node of this library has, and announces. */
final class LocalCapabilities {
    private static final long OURS = DistFlags.ANNOUNCED
            | DistFlags.DIST_MONITOR
            | DistFlags.DIST_MONITOR_NAME
            | DistFlags.SMALL_ATOM_TAGS
            | DistFlags.DIST_HDR_ATOM_CACHE
            | DistFlags.FRAGMENTS
            | DistFlags.EXIT_PAYLOAD
            | DistFlags.SEND_SENDER
            | DistFlags.SPAWN
            | DistFlags.ALIAS
            | DistFlags.ALTACT_SIG;

    private LocalCapabilities() {}

    /** Returns the flags to announce. */
    static long announced(boolean hidden) {
        return hidden ? OURS : OURS | DistFlags.PUBLISHED;
    }
}
