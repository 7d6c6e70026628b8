package dev.touchstone.messaging.handshake;

/**
 * The operations that control messages begin with: a tuple, and for some of them a message behind it.
 *
 * @see <a href="https://www.erlang.org/doc/apps/erts/erl_dist_protocol.html">Distribution Protocol, "Protocol between Connected Nodes"</a>
 */
public final class Control {
    public static final int LINK = 1;
    public static final int SEND = 2;
    public static final int EXIT = 3;
    public static final int UNLINK = 4;
    public static final int NODE_LINK = 5;
    public static final int REG_SEND = 6;
    public static final int GROUP_LEADER = 7;
    public static final int EXIT2 = 8;
    public static final int SEND_TT = 12;
    public static final int EXIT_TT = 13;
    public static final int REG_SEND_TT = 16;
    public static final int EXIT2_TT = 18;
    public static final int MONITOR_P = 19;
    public static final int DEMONITOR_P = 20;
    public static final int MONITOR_P_EXIT = 21;
    public static final int SEND_SENDER = 22;
    public static final int SEND_SENDER_TT = 23;
    public static final int PAYLOAD_EXIT = 24;
    public static final int PAYLOAD_EXIT_TT = 25;
    public static final int PAYLOAD_EXIT2 = 26;
    public static final int PAYLOAD_EXIT2_TT = 27;
    public static final int PAYLOAD_MONITOR_P_EXIT = 28;
    public static final int SPAWN_REQUEST = 29;
    public static final int SPAWN_REQUEST_TT = 30;
    public static final int SPAWN_REPLY = 31;
    public static final int SPAWN_REPLY_TT = 32;
    public static final int ALIAS_SEND = 33;
    public static final int ALIAS_SEND_TT = 34;
    public static final int UNLINK_ID = 35;
    public static final int UNLINK_ID_ACK = 36;
    public static final int ALTACT_SIG_SEND = 37;

    private Control() {}
}
