package com.ericsson.otp.erlang;

import java.nio.charset.StandardCharsets;

/** A string: a proper list of characters in a compact form, which Erlang chooses for lists of small integers. */
public class OtpErlangString extends OtpErlangObject {
    private static final long serialVersionUID = 1;

    private final String text;

    /**
     * Creates a string.
     *
     * @param text the text
     */
    public OtpErlangString(String text) {
        this.text = text;
    }

    /**
     * Creates a string of a list of code points.
     *
     * @param list a proper list of integers
     * @throws OtpErlangException if it is improper, or has other elements
     */
    public OtpErlangString(OtpErlangList list) throws OtpErlangException {
        text = list.stringValue();
    }

    /**
     * Reads a string, in any form in which Erlang sends a list of characters.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if no such list is next
     */
    public OtpErlangString(OtpInputStream in) throws OtpErlangDecodeException {
        text = in.read_string();
    }

    /**
     * Returns the text.
     *
     * @return the text
     */
    public String stringValue() {
        return text;
    }

    /** Returns the text in quotes; quotes in the text are not escaped. */
    @Override
    public String toString() {
        return '"' + text + '"';
    }

    @Override
    public void encode(OtpOutputStream out) {
        out.write_string(text);
    }

    /** Returns whether the other is a string, of Erlang or of Java, with this text. A list of the same characters is not equal. */
    @Override
    @SuppressWarnings("EqualsHashCode")
    public boolean equals(Object other) {
        return (other instanceof String string && text.equals(string))
                || (other instanceof OtpErlangString that && text.equals(that.text));
    }

    @Override
    protected int doHashCode() {
        return text.hashCode();
    }

    /**
     * Returns the code points of a text.
     *
     * @param text the text
     * @return its code points
     */
    public static int[] stringToCodePoints(String text) {
        return text.codePoints().toArray();
    }

    /**
     * Returns whether a number is a code point that is not a surrogate.
     *
     * @param code the number
     * @return whether a string may have it
     */
    public static boolean isValidCodePoint(int code) {
        return Character.isValidCodePoint(code) && Character.getType(code) != Character.SURROGATE;
    }

    /**
     * Returns the text of bytes in ISO 8859-1.
     *
     * @param bytes the bytes
     * @return the text
     */
    public static String newString(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
