package com.ericsson.otp.erlang;

/** A function that a module exports, as in {@code fun module:function/2}. */
public class OtpErlangExternalFun extends OtpErlangObject {
    private static final long serialVersionUID = 1;

    /** The name of the module. */
    public final String module;

    /** The name of the function. */
    public final String function;

    /** The number of arguments. */
    public final int arity;

    /**
     * Creates an exported function.
     *
     * @param module the name of the module
     * @param function the name of the function
     * @param arity the number of arguments
     */
    public OtpErlangExternalFun(String module, String function, int arity) {
        this.module = module;
        this.function = function;
        this.arity = arity;
    }

    /**
     * Reads an exported function.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if none is next
     */
    public OtpErlangExternalFun(OtpInputStream in) throws OtpErlangDecodeException {
        OtpErlangExternalFun read = in.read_external_fun();
        module = read.module;
        function = read.function;
        arity = read.arity;
    }

    @Override
    public void encode(OtpOutputStream out) {
        out.write_external_fun(module, function, arity);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OtpErlangExternalFun that
                && arity == that.arity
                && module.equals(that.module)
                && function.equals(that.function);
    }

    @Override
    protected int doHashCode() {
        Hash hash = new Hash(14);
        hash.combine(module.hashCode(), function.hashCode());
        hash.combine(arity);
        return hash.valueOf();
    }

    @Override
    public String toString() {
        return "#Fun<" + module + "." + function + "." + arity + ">";
    }
}
