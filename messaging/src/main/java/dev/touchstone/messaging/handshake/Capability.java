package dev.touchstone.messaging.handshake;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The distribution flags of OTP 25 to 29, each with the release since which OTP refuses peers without it and with the control messages that
 * only a peer which announced it may be sent.
 */
public enum Capability {
    /** The node is part of the global name space. */
    PUBLISHED(DistFlags.PUBLISHED, Since.OPTIONAL),
    /** NEWER_REFERENCE_EXT. */
    EXTENDED_REFERENCES(DistFlags.EXTENDED_REFERENCES, Since.OTP_25),
    /** Monitors of processes by pid. */
    DIST_MONITOR(
            DistFlags.DIST_MONITOR,
            Since.OPTIONAL,
            Control.MONITOR_P,
            Control.DEMONITOR_P,
            Control.MONITOR_P_EXIT,
            Control.PAYLOAD_MONITOR_P_EXIT),
    /** Funs with a tag of their own. */
    FUN_TAGS(DistFlags.FUN_TAGS, Since.OTP_25),
    /** Monitors of processes by registered name: the same control messages as by pid, with an atom in place of the pid. */
    DIST_MONITOR_NAME(DistFlags.DIST_MONITOR_NAME, Since.OPTIONAL),
    /** NEW_FUN_EXT. */
    NEW_FUN_TAGS(DistFlags.NEW_FUN_TAGS, Since.OTP_25),
    /** Pids and ports of more bits. */
    EXTENDED_PIDS_PORTS(DistFlags.EXTENDED_PIDS_PORTS, Since.OTP_25),
    /** EXPORT_EXT. */
    EXPORT_PTR_TAG(DistFlags.EXPORT_PTR_TAG, Since.OTP_25),
    /** BIT_BINARY_EXT. */
    BIT_BINARIES(DistFlags.BIT_BINARIES, Since.OTP_25),
    /** NEW_FLOAT_EXT. */
    NEW_FLOATS(DistFlags.NEW_FLOATS, Since.OTP_25),
    /** Unicode in the I/O protocol, which this node does not speak. */
    UNICODE_IO(DistFlags.UNICODE_IO, Since.OPTIONAL),
    /** The distribution header before the terms of each frame. */
    DIST_HDR_ATOM_CACHE(DistFlags.DIST_HDR_ATOM_CACHE, Since.OPTIONAL),
    /** SMALL_ATOM_EXT, which this node reads and does not write. */
    SMALL_ATOM_TAGS(DistFlags.SMALL_ATOM_TAGS, Since.OPTIONAL),
    /** ATOM_UTF8_EXT and SMALL_ATOM_UTF8_EXT. */
    UTF8_ATOMS(DistFlags.UTF8_ATOMS, Since.OTP_25),
    /** MAP_EXT. */
    MAP_TAG(DistFlags.MAP_TAG, Since.OTP_25),
    /** Creations of 32 bits: NEW_PID_EXT, NEW_PORT_EXT, NEWER_REFERENCE_EXT. */
    BIG_CREATION(DistFlags.BIG_CREATION, Since.OTP_25),
    /** The sender's pid in messages to a pid, which this node does not write. */
    SEND_SENDER(DistFlags.SEND_SENDER, Since.OPTIONAL, Control.SEND_SENDER, Control.SEND_SENDER_TT),
    /** Any term as the label of a sequential trace, which this node does not write. */
    BIG_SEQTRACE_LABELS(DistFlags.BIG_SEQTRACE_LABELS, Since.OPTIONAL),
    /** The reasons of exits behind the control tuple. */
    EXIT_PAYLOAD(
            DistFlags.EXIT_PAYLOAD,
            Since.OPTIONAL,
            Control.PAYLOAD_EXIT,
            Control.PAYLOAD_EXIT_TT,
            Control.PAYLOAD_EXIT2,
            Control.PAYLOAD_EXIT2_TT,
            Control.PAYLOAD_MONITOR_P_EXIT),
    /** Messages in several frames; needs the distribution header as well. */
    FRAGMENTS(DistFlags.FRAGMENTS, Since.OPTIONAL),
    /** The handshake of version 6. */
    HANDSHAKE_23(DistFlags.HANDSHAKE_23, Since.OTP_25),
    /** Unlinking with an acknowledgement. OTP 25 still takes peers without it, and so does this node. */
    UNLINK_ID(DistFlags.UNLINK_ID, Since.OTP_26, Control.UNLINK_ID, Control.UNLINK_ID_ACK),
    /** All that is mandatory in OTP 25, in one bit. */
    MANDATORY_25_DIGEST(DistFlags.MANDATORY_25_DIGEST, Since.OPTIONAL),
    /** Requests to spawn a process. */
    SPAWN(
            DistFlags.SPAWN,
            Since.OPTIONAL,
            Control.SPAWN_REQUEST,
            Control.SPAWN_REQUEST_TT,
            Control.SPAWN_REPLY,
            Control.SPAWN_REPLY_TT),
    /** Pids of 32 bits in both numbers, V4_PORT_EXT, references of up to five words. */
    V4_NC(DistFlags.V4_NC, Since.OTP_26),
    /** Messages to a process alias. */
    ALIAS(DistFlags.ALIAS, Since.OPTIONAL, Control.ALIAS_SEND, Control.ALIAS_SEND_TT),
    /** A control message for all ways to send, of OTP 28; this node reads it and does not write it. */
    ALTACT_SIG(DistFlags.ALTACT_SIG, Since.OPTIONAL, Control.ALTACT_SIG_SEND);

    private final long flag;
    private final Since since;

    @SuppressWarnings("ImmutableEnumChecker") // the set is unmodifiable
    private final Set<Integer> operations;

    /** The OTP releases that refuse peers without a capability. */
    public enum Since {
        /** No release refuses a peer without it. */
        OPTIONAL,
        /** OTP 25 and later. */
        OTP_25,
        /** OTP 26 and later. */
        OTP_26
    }

    Capability(long flag, Since since, int... operations) {
        this.flag = flag;
        this.since = since;
        this.operations = Arrays.stream(operations).boxed().collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns the flag that announces this capability.
     *
     * @return one bit of {@link DistFlags}
     */
    public long flag() {
        return flag;
    }

    /**
     * Returns the first release of OTP that refuses peers without this capability.
     *
     * @return the release, or {@code OPTIONAL}
     */
    public Since mandatorySince() {
        return since;
    }

    /**
     * Returns the control messages that depend on this capability.
     *
     * @return operations of {@link Control}; empty if only encodings depend on it
     */
    public Set<Integer> operations() {
        return operations;
    }
}
