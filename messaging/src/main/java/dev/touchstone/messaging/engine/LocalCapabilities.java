package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.handshake.DistFlags;

/** What a node of ours announces: exactly what it can do. */
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

    static long announced(boolean hidden) {
        return hidden ? OURS : OURS | DistFlags.PUBLISHED;
    }
}
