package com.ericsson.otp.erlang;

/** A message or an exit signal with what is known of its way. */
public class OtpMsg {
    /** Type of a link. */
    public static final int linkTag = 1;

    /** Type of a message to a pid. */
    public static final int sendTag = 2;

    /** Type of the exit of a process that is linked. */
    public static final int exitTag = 3;

    /** Type of an end of a link. */
    public static final int unlinkTag = 4;

    /** Type of a message to a name. */
    public static final int regSendTag = 6;

    /** Type of an exit signal that somebody sent. */
    public static final int exit2Tag = 8;

    /** The type. */
    protected int tag;

    /** The message as it came; null where it came from this node. */
    protected OtpInputStream paybuf;

    /** The message, or the reason of an exit; null until it was decoded. */
    protected OtpErlangObject payload;

    /** The sender; null where that is unknown. */
    protected OtpErlangPid from;

    /** The pid it was sent to; null where it was sent to a name. */
    protected OtpErlangPid to;

    /** The name it was sent to; null where it was sent to a pid. */
    protected String toName;

    /** The number of an end of a link; always 0, for the messaging node answers these itself. */
    protected long unlink_id;

    private OtpMsg(int tag, OtpErlangPid from, OtpErlangPid to, String toName) {
        this.tag = tag;
        this.from = from;
        this.to = to;
        this.toName = toName;
    }

    OtpMsg(OtpErlangPid to, OtpErlangObject message) {
        this(sendTag, null, to, (String) null);
        payload = message;
    }

    OtpMsg(OtpErlangPid from, String toName, OtpErlangObject message) {
        this(regSendTag, from, null, toName);
        payload = message;
    }

    OtpMsg(OtpErlangPid to, OtpInputStream message) {
        this(sendTag, null, to, (String) null);
        paybuf = message;
    }

    OtpMsg(OtpErlangPid from, String toName, OtpInputStream message) {
        this(regSendTag, from, null, toName);
        paybuf = message;
    }

    OtpMsg(int tag, OtpErlangPid from, OtpErlangPid to, OtpErlangObject reason) {
        this(tag, from, to, (String) null);
        payload = reason;
    }

    /** Throws the exit that this is, if it is one. */
    OtpMsg orThrowExit() throws OtpErlangExit {
        if (tag == exitTag || tag == exit2Tag) {
            throw new OtpErlangExit(payload, from);
        }
        return this;
    }

    /** Returns the message as bytes. */
    OtpInputStream buffer() {
        if (paybuf != null) {
            return paybuf;
        }
        OtpOutputStream out = new OtpOutputStream();
        out.write1(OtpExternal.versionTag);
        out.write_any(payload);
        return new OtpInputStream(out.toByteArray());
    }

    /**
     * Returns the type: one of the constants of this class.
     *
     * @return the type
     */
    public int type() {
        return tag;
    }

    /**
     * Returns the message, decoded at the first call.
     *
     * @return the message
     * @throws OtpErlangDecodeException if the bytes are no term
     */
    public OtpErlangObject getMsg() throws OtpErlangDecodeException {
        if (payload == null) {
            payload = paybuf.read_any();
        }
        return payload;
    }

    /**
     * Returns the name that the message was sent to.
     *
     * @return the name, or null where it was sent to a pid
     */
    public String getRecipientName() {
        return toName;
    }

    /**
     * Returns the pid that the message was sent to.
     *
     * @return the pid, or null where it was sent to a name
     */
    public OtpErlangPid getRecipientPid() {
        return to;
    }

    /**
     * Returns the name or the pid that the message was sent to.
     *
     * @return a String or an {@link OtpErlangPid}
     */
    public Object getRecipient() {
        return toName == null ? to : toName;
    }

    /**
     * Returns the sender; a message to a pid does not tell it.
     *
     * @return the pid, or null
     */
    public OtpErlangPid getSenderPid() {
        return from;
    }
}
