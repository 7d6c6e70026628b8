package dev.touchstone.messaging.handshake;

/**
 * The operations that control messages begin with. Each constant has the control tuple; for some, a term stands behind it.
 *
 * @see <a href="https://www.erlang.org/doc/apps/erts/erl_dist_protocol.html">Distribution Protocol, "Protocol between Connected Nodes"</a>
 */
public final class Control {
    /** {@code {1, From, To}}: links two processes. */
    public static final int LINK = 1;
    /** {@code {2, Unused, To}}: sends the message behind it to a process. */
    public static final int SEND = 2;
    /** {@code {3, From, To, Reason}}: ends a link. */
    public static final int EXIT = 3;
    /** {@code {4, From, To}}: takes a link away; to peers without {@link DistFlags#UNLINK_ID} only. */
    public static final int UNLINK = 4;
    /** {@code {5}}: reserved, and sent by nobody. */
    public static final int NODE_LINK = 5;
    /** {@code {6, From, Unused, ToName}}: sends the message behind it to a registered name. */
    public static final int REG_SEND = 6;
    /** {@code {7, From, To}}: makes the first process the group leader of the second. */
    public static final int GROUP_LEADER = 7;
    /** {@code {8, From, To, Reason}}: sends an exit signal. */
    public static final int EXIT2 = 8;
    /** {@code {12, Unused, To, Token}}: {@link #SEND} with a trace token. */
    public static final int SEND_TT = 12;
    /** {@code {13, From, To, Token, Reason}}: {@link #EXIT} with a trace token. */
    public static final int EXIT_TT = 13;
    /** {@code {16, From, Unused, ToName, Token}}: {@link #REG_SEND} with a trace token. */
    public static final int REG_SEND_TT = 16;
    /** {@code {18, From, To, Token, Reason}}: {@link #EXIT2} with a trace token. */
    public static final int EXIT2_TT = 18;
    /** {@code {19, From, ToProcess, Ref}}: monitors a process, by pid or name. */
    public static final int MONITOR_P = 19;
    /** {@code {20, From, ToProcess, Ref}}: takes a monitor away. */
    public static final int DEMONITOR_P = 20;
    /** {@code {21, FromProcess, To, Ref, Reason}}: tells that a monitored process has ended. */
    public static final int MONITOR_P_EXIT = 21;
    /** {@code {22, From, To}}: {@link #SEND} with the sender. */
    public static final int SEND_SENDER = 22;
    /** {@code {23, From, To, Token}}: {@link #SEND_SENDER} with a trace token. */
    public static final int SEND_SENDER_TT = 23;
    /** {@code {24, From, To}}: {@link #EXIT} with the reason behind it. */
    public static final int PAYLOAD_EXIT = 24;
    /** {@code {25, From, To, Token}}: {@link #PAYLOAD_EXIT} with a trace token. */
    public static final int PAYLOAD_EXIT_TT = 25;
    /** {@code {26, From, To}}: {@link #EXIT2} with the reason behind it. */
    public static final int PAYLOAD_EXIT2 = 26;
    /** {@code {27, From, To, Token}}: {@link #PAYLOAD_EXIT2} with a trace token. */
    public static final int PAYLOAD_EXIT2_TT = 27;
    /** {@code {28, FromProcess, To, Ref}}: {@link #MONITOR_P_EXIT} with the reason behind it. */
    public static final int PAYLOAD_MONITOR_P_EXIT = 28;
    /** {@code {29, RequestId, From, GroupLeader, {M, F, Arity}, Options}}: spawns a process; the list of arguments is behind it. */
    public static final int SPAWN_REQUEST = 29;
    /** {@code {30, RequestId, From, GroupLeader, {M, F, Arity}, Options, Token}}: {@link #SPAWN_REQUEST} with a trace token. */
    public static final int SPAWN_REQUEST_TT = 30;
    /** {@code {31, RequestId, To, Flags, Result}}: answers a spawn request. */
    public static final int SPAWN_REPLY = 31;
    /** {@code {32, RequestId, To, Flags, Result, Token}}: {@link #SPAWN_REPLY} with a trace token. */
    public static final int SPAWN_REPLY_TT = 32;
    /** {@code {33, From, Alias}}: sends the message behind it to an alias. */
    public static final int ALIAS_SEND = 33;
    /** {@code {34, From, Alias, Token}}: {@link #ALIAS_SEND} with a trace token. */
    public static final int ALIAS_SEND_TT = 34;
    /** {@code {35, Id, From, To}}: takes a link away. */
    public static final int UNLINK_ID = 35;
    /** {@code {36, Id, From, To}}: acknowledges {@link #UNLINK_ID}. */
    public static final int UNLINK_ID_ACK = 36;
    /** {@code {37, Flags, From, To}}: sends the message behind it in the way that the flags tell; a token may follow. */
    public static final int ALTACT_SIG_SEND = 37;

    private Control() {}
}
