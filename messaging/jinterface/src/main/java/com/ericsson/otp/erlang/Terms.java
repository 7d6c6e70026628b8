package com.ericsson.otp.erlang;

import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import dev.touchstone.messaging.term.Term;

/** Terms of this package from and to those of the messaging library, for what is rare; messages go as bytes. */
final class Terms {
    private Terms() {}

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
