package dev.touchstone.messaging.handshake;

import java.util.ArrayList;
import java.util.List;

/**
 * The capabilities of a node, one bit each, as in {@code dist.h} of OTP: the public description of the protocol has the digest flag at
 * another bit than live nodes.
 */
public final class DistFlags {
    /** The node is part of the global name space: not hidden. */
    public static final long PUBLISHED = 0x1;

    /** References of up to three words; mandatory. */
    public static final long EXTENDED_REFERENCES = 0x4;

    /** Processes can be monitored. */
    public static final long DIST_MONITOR = 0x8;

    /** Funs have a tag of their own; mandatory. */
    public static final long FUN_TAGS = 0x10;

    /** Processes can be monitored by name. */
    public static final long DIST_MONITOR_NAME = 0x20;

    /** NEW_FUN_EXT; mandatory. */
    public static final long NEW_FUN_TAGS = 0x80;

    /** Larger pids and ports; mandatory. */
    public static final long EXTENDED_PIDS_PORTS = 0x100;

    /** EXPORT_EXT; mandatory. */
    public static final long EXPORT_PTR_TAG = 0x200;

    /** BIT_BINARY_EXT; mandatory. */
    public static final long BIT_BINARIES = 0x400;

    /** NEW_FLOAT_EXT; mandatory. */
    public static final long NEW_FLOATS = 0x800;

    /** The I/O protocol knows Unicode. */
    public static final long UNICODE_IO = 0x1000;

    /** Frames begin with a distribution header, which may refer to a cache of atoms. */
    public static final long DIST_HDR_ATOM_CACHE = 0x2000;

    /** SMALL_ATOM_EXT. */
    public static final long SMALL_ATOM_TAGS = 0x4000;

    /** Atoms in UTF-8; mandatory. */
    public static final long UTF8_ATOMS = 0x10000;

    /** MAP_EXT; mandatory. */
    public static final long MAP_TAG = 0x20000;

    /** Creations of 32 bits; mandatory. */
    public static final long BIG_CREATION = 0x40000;

    /** SEND_SENDER takes the place of SEND. */
    public static final long SEND_SENDER = 0x80000;

    /** Any term labels a sequential trace. */
    public static final long BIG_SEQTRACE_LABELS = 0x100000;

    /** Reasons follow EXIT, EXIT2 and MONITOR_P_EXIT as a payload. */
    public static final long EXIT_PAYLOAD = 0x400000;

    /** Large messages come in fragments. */
    public static final long FRAGMENTS = 0x800000;

    /** The handshake that this package speaks; mandatory. */
    public static final long HANDSHAKE_23 = 0x1000000;

    /** Unlinking has an id and an acknowledgement; mandatory since OTP 26. */
    public static final long UNLINK_ID = 0x2000000;

    /** All flags that are mandatory in OTP 25, in one bit. */
    public static final long MANDATORY_25_DIGEST = 0x4000000;

    /** SPAWN_REQUEST and SPAWN_REPLY. */
    public static final long SPAWN = 0x1L << 32;

    /** The initiator asks for a name; not a capability. */
    public static final long NAME_ME = 0x2L << 32;

    /** Pids, ports and references of version 4; mandatory. */
    public static final long V4_NC = 0x4L << 32;

    /** ALIAS_SEND. */
    public static final long ALIAS = 0x8L << 32;

    /** ALTACT_SIG_SEND, since OTP 28. */
    public static final long ALTACT_SIG = 0x20L << 32;

    /** The flags that OTP 25 needs of every peer. */
    public static final long MANDATORY_25 = EXTENDED_REFERENCES
            | FUN_TAGS
            | NEW_FUN_TAGS
            | EXTENDED_PIDS_PORTS
            | EXPORT_PTR_TAG
            | BIT_BINARIES
            | NEW_FLOATS
            | UTF8_ATOMS
            | MAP_TAG
            | BIG_CREATION
            | HANDSHAKE_23;

    /** The flags that this node needs of every peer: its pids have more bits than a peer without V4_NC can hold. */
    public static final long MANDATORY = MANDATORY_25 | V4_NC;

    /** The flags that a node has to announce at least: those that OTP 26 and later need. */
    public static final long ANNOUNCED = MANDATORY | UNLINK_ID | MANDATORY_25_DIGEST;

    private static final String[] LOW_NAMES = {
        "PUBLISHED", "ATOM_CACHE", "EXTENDED_REFERENCES", "DIST_MONITOR",
        "FUN_TAGS", "DIST_MONITOR_NAME", "HIDDEN_ATOM_CACHE", "NEW_FUN_TAGS",
        "EXTENDED_PIDS_PORTS", "EXPORT_PTR_TAG", "BIT_BINARIES", "NEW_FLOATS",
        "UNICODE_IO", "DIST_HDR_ATOM_CACHE", "SMALL_ATOM_TAGS", "ETS_COMPRESSED",
        "UTF8_ATOMS", "MAP_TAG", "BIG_CREATION", "SEND_SENDER",
        "BIG_SEQTRACE_LABELS", "PENDING_CONNECT", "EXIT_PAYLOAD", "FRAGMENTS",
        "HANDSHAKE_23", "UNLINK_ID", "MANDATORY_25_DIGEST"
    };
    private static final String[] HIGH_NAMES = {"SPAWN", "NAME_ME", "V4_NC", "ALIAS", "LOCAL_EXT", "ALTACT_SIG"};

    private DistFlags() {}

    /** Returns the flags with all those that the digest flag among them stands for. */
    static long expanded(long flags) {
        return (flags & MANDATORY_25_DIGEST) == 0 ? flags : flags | MANDATORY_25;
    }

    /** Returns the mandatory flags that are not among these; 0 if none is missing. */
    static long missing(long flags) {
        return MANDATORY & ~expanded(flags);
    }

    /** Returns the flags that both nodes have announced. */
    static long common(long ours, long theirs) {
        return expanded(ours) & expanded(theirs) & ~NAME_ME;
    }

    /**
     * Returns the names of the flags.
     *
     * @param flags any bits
     * @return names with {@code |} between them; {@code bit} and a number for an unknown one
     */
    public static String toString(long flags) {
        List<String> names = new ArrayList<>();
        for (int bit = 0; bit < Long.SIZE; bit++) {
            if (((flags >>> bit) & 1) != 0) {
                names.add(name(bit));
            }
        }
        return String.join("|", names);
    }

    private static String name(int bit) {
        if (bit < LOW_NAMES.length) {
            return LOW_NAMES[bit];
        }
        int high = bit - Integer.SIZE;
        return high >= 0 && high < HIGH_NAMES.length ? HIGH_NAMES[high] : "bit" + bit;
    }
}
