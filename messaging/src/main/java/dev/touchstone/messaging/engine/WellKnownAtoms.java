package dev.touchstone.messaging.engine;

import dev.touchstone.messaging.term.Atom;

/** Atoms that Erlang's nodes say to each other. */
final class WellKnownAtoms {
    static final Atom ALIAS = Atom.of("alias");
    static final Atom BADARG = Atom.of("badarg");
    static final Atom BADOPT = Atom.of("badopt");
    static final Atom BADRPC = Atom.of("badrpc");
    static final Atom BLOCK_CALL = Atom.of("block_call");
    static final Atom CALL = Atom.of("call");
    static final Atom CAST = Atom.of("cast");
    static final Atom CONNECTION_CLOSED = Atom.of("connection_closed");
    static final Atom DISCONNECT = Atom.of("disconnect");
    static final Atom DOWN = Atom.of("DOWN");
    static final Atom ERPC = Atom.of("erpc");
    static final Atom ERROR = Atom.of("error");
    static final Atom EXECUTE_CALL = Atom.of("execute_call");
    static final Atom EXECUTE_CAST = Atom.of("execute_cast");
    static final Atom EXIT = Atom.of("EXIT");
    static final Atom FEATURES_REPLY = Atom.of("features_reply");
    static final Atom FEATURES_REQUEST = Atom.of("features_request");
    static final Atom GEN_CALL = Atom.of("$gen_call");
    static final Atom GEN_CAST = Atom.of("$gen_cast");
    static final Atom HIDDEN = Atom.of("hidden");
    static final Atom IS_AUTH = Atom.of("is_auth");
    static final Atom KILL = Atom.of("kill");
    static final Atom KILLED = Atom.of("killed");
    static final Atom LINK = Atom.of("link");
    static final Atom MAILBOX_FULL = Atom.of("mailbox_full");
    static final Atom MONITOR = Atom.of("monitor");
    static final Atom NET_KERNEL = Atom.of("net_kernel");
    static final Atom NET_TICK_TIMEOUT = Atom.of("net_tick_timeout");
    static final Atom NOCONNECTION = Atom.of("noconnection");
    static final Atom NODEDOWN = Atom.of("nodedown");
    static final Atom NODEDOWN_REASON = Atom.of("nodedown_reason");
    static final Atom NODEUP = Atom.of("nodeup");
    static final Atom NODE_TYPE = Atom.of("node_type");
    static final Atom NONBLOCKING_CALL = Atom.of("nonblocking_call");
    static final Atom NONEXISTING_NAME = Atom.of("nonexisting_name");
    static final Atom NODE_FAILED = Atom.of("node_failed");
    static final Atom NOPROC = Atom.of("noproc");
    static final Atom NORMAL = Atom.of("normal");
    static final Atom NOTSUP = Atom.of("notsup");
    static final Atom PROCESS = Atom.of("process");
    static final Atom RETURN = Atom.of("return");
    static final Atom REX = Atom.of("rex");
    static final Atom SBCAST = Atom.of("sbcast");
    static final Atom SEND = Atom.of("send");
    static final Atom SPAWN_REPLY = Atom.of("spawn_reply");
    static final Atom SYSTEM_LIMIT = Atom.of("system_limit");
    static final Atom UNDEF = Atom.of("undef");
    static final Atom UNDEFINED = Atom.of("undefined");
    static final Atom UNKNOWN_REQUEST = Atom.of("unknown_request");
    static final Atom VISIBLE = Atom.of("visible");
    static final Atom YES = Atom.of("yes");

    private WellKnownAtoms() {}
}
