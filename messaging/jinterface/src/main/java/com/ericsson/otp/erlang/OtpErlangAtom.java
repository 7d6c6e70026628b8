package com.ericsson.otp.erlang;

/** An atom: a name of at most 255 characters (code points). */
public class OtpErlangAtom extends OtpErlangObject {
    private static final long serialVersionUID = 1;

    /** Characters that an atom has at most. */
    public static final int maxAtomLength = 255;

    private final String atom;

    /**
     * Creates an atom.
     *
     * @param atom its name
     * @throws IllegalArgumentException if the name is null or too long
     */
    public OtpErlangAtom(String atom) {
        if (atom == null) {
            throw new IllegalArgumentException("name of an atom: expected text, got null");
        }
        if (atom.length() > maxAtomLength && atom.codePointCount(0, atom.length()) > maxAtomLength) {
            throw new IllegalArgumentException("Atom may not exceed 255 characters: " + atom);
        }
        this.atom = atom;
    }

    /**
     * Reads an atom.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if no atom is next
     */
    public OtpErlangAtom(OtpInputStream in) throws OtpErlangDecodeException {
        atom = in.read_atom();
    }

    /**
     * Creates the atom {@code true} or {@code false}.
     *
     * @param value the truth value
     */
    public OtpErlangAtom(boolean value) {
        atom = String.valueOf(value);
    }

    /**
     * Returns the name without quotes.
     *
     * @return the name
     */
    public String atomValue() {
        return atom;
    }

    /**
     * Returns whether this is the atom {@code true}; letters of either case count.
     *
     * @return whether this is {@code true}
     */
    public boolean booleanValue() {
        return Boolean.parseBoolean(atom);
    }

    /** Returns the name, quoted where Erlang needs quotes. Quotes in it and characters (UTF-16 units) outside of ASCII are escaped. */
    @Override
    public String toString() {
        return isPlain() ? atom : quoted();
    }

    private boolean isPlain() {
        for (int i = 0; i < atom.length(); i++) {
            char c = atom.charAt(i);
            boolean lower = c >= 'a' && c <= 'z';
            boolean later = lower || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '@';
            if (i == 0 ? !lower : !later) {
                return false;
            }
        }
        return !atom.isEmpty();
    }

    private String quoted() {
        StringBuilder text = new StringBuilder("'");
        atom.chars().forEach(c -> {
            int named = "\b\u007f\u001b\f\n\r\t\u000b".indexOf(c);
            if (named >= 0) {
                text.append('\\').append("bdefnrtv".charAt(named));
            } else if (c == '\'' || c == '"' || c == '\\') {
                text.append('\\').append((char) c);
            } else if (c < ' ') {
                text.append("\\^").append((char) (c + '@'));
            } else if (c <= '~') {
                text.append((char) c);
            } else {
                text.append('\\').append(Integer.toOctalString(c));
            }
        });
        return text.append('\'').toString();
    }

    @Override
    public void encode(OtpOutputStream out) {
        out.write_atom(atom);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof OtpErlangAtom that && atom.equals(that.atom));
    }

    @Override
    protected int doHashCode() {
        return atom.hashCode();
    }
}
