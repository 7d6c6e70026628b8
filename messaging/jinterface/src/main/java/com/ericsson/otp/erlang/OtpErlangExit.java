package com.ericsson.otp.erlang;

/** An exit signal, thrown by the {@code receive} methods in the place of a message. */
public class OtpErlangExit extends OtpErlangException {
    private static final long serialVersionUID = 1;

    private final OtpErlangObject reason;
    private final OtpErlangPid pid;

    /**
     * Creates an exit of an unknown sender.
     *
     * @param reason the reason of the exit
     */
    public OtpErlangExit(OtpErlangObject reason) {
        this(reason, null);
    }

    /**
     * Creates an exit of an unknown sender.
     *
     * @param reason the name of an atom, the reason of the exit
     */
    public OtpErlangExit(String reason) {
        this(new OtpErlangAtom(reason), null);
    }

    /**
     * Creates an exit.
     *
     * @param reason the reason of the exit
     * @param pid the process that sent it, or null
     */
    public OtpErlangExit(OtpErlangObject reason, OtpErlangPid pid) {
        super(reason.toString());
        this.reason = reason;
        this.pid = pid;
    }

    /**
     * Creates an exit.
     *
     * @param reason the name of an atom, the reason of the exit
     * @param pid the process that sent it, or null
     */
    public OtpErlangExit(String reason, OtpErlangPid pid) {
        this(new OtpErlangAtom(reason), pid);
    }

    /**
     * Returns the reason of the exit.
     *
     * @return the reason
     */
    public OtpErlangObject reason() {
        return reason;
    }

    /**
     * Returns the process that sent the exit.
     *
     * @return the sender, or null where it is unknown
     */
    public OtpErlangPid pid() {
        return pid;
    }
}
