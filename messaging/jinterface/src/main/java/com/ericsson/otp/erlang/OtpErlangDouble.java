package com.ericsson.otp.erlang;

/** A float of Erlang. */
public class OtpErlangDouble extends OtpErlangObject {
    private static final long serialVersionUID = 1;

    private final double value;

    /**
     * Creates a float.
     *
     * @param value its value
     */
    public OtpErlangDouble(double value) {
        this.value = value;
    }

    /**
     * Reads a float.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if no float is next
     */
    public OtpErlangDouble(OtpInputStream in) throws OtpErlangDecodeException {
        value = in.read_double();
    }

    /**
     * Returns the value.
     *
     * @return the value
     */
    public double doubleValue() {
        return value;
    }

    /**
     * Returns the value as a float of Java.
     *
     * @return the float of the same value
     * @throws OtpErlangRangeException if no float has exactly this value, as for 0.1, or it is no number
     */
    public float floatValue() throws OtpErlangRangeException {
        float nearest = (float) value;
        if (nearest != value) { // NaN too
            throw new OtpErlangRangeException("Value too large for float: " + value);
        }
        return nearest;
    }

    @Override
    public String toString() {
        return String.valueOf(value);
    }

    @Override
    public void encode(OtpOutputStream out) {
        out.write_double(value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OtpErlangDouble that && value == that.value;
    }

    @Override
    protected int doHashCode() {
        return Double.hashCode(value + 0.0); // -0.0 and 0.0 are equal
    }
}
