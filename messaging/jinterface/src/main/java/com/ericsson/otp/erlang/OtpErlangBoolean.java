package com.ericsson.otp.erlang;

/** The atom {@code true} or {@code false}. A term that is decoded has the class {@link OtpErlangAtom}. */
public class OtpErlangBoolean extends OtpErlangAtom {
    private static final long serialVersionUID = 1;

    /**
     * Creates the atom.
     *
     * @param value the truth value
     */
    public OtpErlangBoolean(boolean value) {
        super(value);
    }

    /**
     * Reads an atom.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if no atom is next
     */
    public OtpErlangBoolean(OtpInputStream in) throws OtpErlangDecodeException {
        super(in);
    }
}
