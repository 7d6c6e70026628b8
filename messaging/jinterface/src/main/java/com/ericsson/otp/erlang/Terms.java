package com.ericsson.otp.erlang;

import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Term;
import java.util.Set;

/** Terms of this package from and to those of the messaging library, for what is rare; messages go as bytes. */
final class Terms {
    /** The kinds of terms that nobody can change. Subclasses of them may have more state. */
    private static final Set<Class<?>> IMMUTABLE = Set.of(
            OtpErlangAtom.class,
            OtpErlangBoolean.class,
            OtpErlangByte.class,
            OtpErlangChar.class,
            OtpErlangDouble.class,
            OtpErlangExternalFun.class,
            OtpErlangFloat.class,
            OtpErlangFun.class,
            OtpErlangInt.class,
            OtpErlangList.class,
            OtpErlangList.SubList.class,
            OtpErlangLong.class,
            OtpErlangPid.class,
            OtpErlangPort.class,
            OtpErlangRef.class,
            OtpErlangShort.class,
            OtpErlangString.class,
            OtpErlangTuple.class,
            OtpErlangUInt.class,
            OtpErlangUShort.class);

    private Terms() {}

    /** Returns a message as a mailbox of the same node gets it: itself where nobody can change it, otherwise a copy that is not deep. */
    static OtpErlangObject delivered(OtpErlangObject message) {
        Class<?> kind = message.getClass();
        if (kind == OtpErlangBinary.class) {
            return ((OtpErlangBinary) message).binaryOfTheSameBytes();
        }
        return IMMUTABLE.contains(kind) ? message : (OtpErlangObject) message.clone();
    }

    static Term toOurs(OtpErlangObject term) {
        OtpOutputStream out = new OtpOutputStream();
        out.write1(OtpExternal.versionTag);
        out.write_any(term);
        return TermReader.decode(out.toByteArray());
    }

    static OtpErlangObject fromOurs(Term term) {
        try {
            return new OtpInputStream(TermWriter.encode(term)).read_any();
        } catch (OtpErlangDecodeException e) {
            return new OtpErlangAtom("undecodable");
        }
    }
}
