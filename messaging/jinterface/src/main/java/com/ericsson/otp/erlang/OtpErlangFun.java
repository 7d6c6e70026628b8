package com.ericsson.otp.erlang;

import java.util.Arrays;

/** A function that was made at another node. It can be kept and sent back, not called. */
public class OtpErlangFun extends OtpErlangObject {
    private static final long serialVersionUID = 1;
    private static final int OLD_ARITY = -1;
    private static final OtpErlangObject[] NONE = {};

    private final OtpErlangPid pid;
    private final String module;
    private final int arity;
    private final byte[] md5;
    private final long index;
    private final long oldIndex;
    private final long uniq;
    private final OtpErlangObject[] freeVars;

    /**
     * Reads a function.
     *
     * @param in the stream that is read from
     * @throws OtpErlangDecodeException if none is next
     */
    public OtpErlangFun(OtpInputStream in) throws OtpErlangDecodeException {
        this(in.read_fun());
    }

    private OtpErlangFun(OtpErlangFun other) {
        pid = other.pid;
        module = other.module;
        arity = other.arity;
        md5 = other.md5;
        index = other.index;
        oldIndex = other.oldIndex;
        uniq = other.uniq;
        freeVars = other.freeVars;
    }

    /**
     * Creates a function in the form that Erlang had before R9.
     *
     * @param pid the process that made it
     * @param module the name of the module
     * @param index the number of the function in the module
     * @param uniq the hash of the function's code
     * @param freeVars the values of the free variables; null for none
     */
    public OtpErlangFun(OtpErlangPid pid, String module, long index, long uniq, OtpErlangObject[] freeVars) {
        this.pid = pid;
        this.module = module;
        arity = OLD_ARITY;
        md5 = new byte[0];
        this.index = index;
        oldIndex = 0;
        this.uniq = uniq;
        this.freeVars = freeVars == null ? NONE : freeVars.clone();
    }

    /**
     * Creates a function.
     *
     * @param pid the process that made it
     * @param module the name of the module
     * @param arity the number of arguments
     * @param md5 the 16 bytes that identify the module's code
     * @param index the number of the function in the module
     * @param oldIndex the number in the form before R9
     * @param uniq the hash of the function's code
     * @param freeVars the values of the free variables; null for none
     */
    public OtpErlangFun(
            OtpErlangPid pid,
            String module,
            int arity,
            byte[] md5,
            int index,
            long oldIndex,
            long uniq,
            OtpErlangObject[] freeVars) {
        this.pid = pid;
        this.module = module;
        this.arity = arity;
        this.md5 = md5.clone();
        this.index = index;
        this.oldIndex = oldIndex;
        this.uniq = uniq;
        this.freeVars = freeVars == null ? NONE : freeVars.clone();
    }

    @Override
    public void encode(OtpOutputStream out) {
        out.write_fun(pid, module, arity == OLD_ARITY ? index : oldIndex, arity, md5, index, uniq, freeVars);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof OtpErlangFun that
                        && arity == that.arity
                        && index == that.index
                        && oldIndex == that.oldIndex
                        && uniq == that.uniq
                        && pid.equals(that.pid)
                        && module.equals(that.module)
                        && Arrays.equals(md5, that.md5)
                        && Arrays.equals(freeVars, that.freeVars));
    }

    @Override
    protected int doHashCode() {
        Hash hash = new Hash(1);
        hash.combine(pid.hashCode(), module.hashCode());
        hash.combine(arity);
        hash.combine(index);
        hash.combine(uniq);
        hash.combine(Arrays.hashCode(freeVars));
        return hash.valueOf();
    }

    @Override
    public String toString() {
        return "#Fun<" + module + "." + oldIndex + "." + uniq + ">";
    }
}
